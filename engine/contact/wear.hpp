#pragma once

#include "engine/numerics/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ricochet {

/// Archard's law of wear: the worn volume is proportional to the integral of N |s'|, that is, to the friction
/// work divided by the coefficient of friction.
///
/// Source: J.F. Archard, J. Appl. Phys. 24 (1953) 981-988.
struct ArchardWear {
  static constexpr std::string_view keyword = "archard";
  static constexpr std::string_view title = "Archard's law of wear";
  static constexpr std::string_view formula =
      "V = k W,   or with `after`   V = k P t\n"
      "\n"
      "W   integral of N |s'| over slip [J], N normal force, s' slip velocity\n"
      "P   its mean rate over the window [W],  t = `after` [s]";
  static constexpr std::string_view source = "J.F. Archard, J. Appl. Phys. 24 (1953) 981-988";
  static constexpr bool kChosenByKeys = true;

  double coefficient{0.0};

  static constexpr auto numericParameters() {
    using F = Field<ArchardWear>;
    return std::array{F{"coefficient", &ArchardWear::coefficient, "m^3/J", 0.0, 1e-15, "k", Need::required}};
  }
  static constexpr auto deckKeys() {
    return std::array{DeckKey{.name = "other.coefficient",
                              .unit = "m^3/J",
                              .example = "2e-15",
                              .meaning = "k of the other body: the obstacle, or the second node",
                              .allowed = ">= 0",
                              .fallback = "it does not wear"}};
  }

  /// Worn volume [m^3] for a mean wear power [W] during a time [s].
  double volume(double power, double time) const noexcept { return coefficient * power * time; }
};

/// Wear whose rate decreases from A P^b to S with exp(-n t).
struct EdfMzWear {
  static constexpr std::string_view keyword = "edf_mz";
  static constexpr std::string_view title = "Wear of tubes whose rate settles (EDF-MZ)";
  static constexpr std::string_view formula =
      "V = S t + (A P^b - S) (1 - exp(-n t))/n\n"
      "\n"
      "P   wear power: mean of N |s'| over slip [W]\n"
      "t   length of the window, or `after` [s]\n"
      "\n"
      "The rate is A P^b at first and S in the end; S counts as A P^b where it is more, so that nothing\n"
      "wears without power.";
  static constexpr std::string_view source =
      "law EDF_MZ of Code_Aster's POST_USURE, U4.84.05: there A = 1e-13, b = 1.2, n = 2.44e-8/s, "
      "S = 1.14e-16 m^3/s";

  double coefficient{0.0};
  double exponent{1.0};
  double decay{0.0};
  double finalRate{0.0};

  static constexpr auto numericParameters() {
    using F = Field<EdfMzWear>;
    return std::array{
        F{"coefficient", &EdfMzWear::coefficient, "m^3/(s W^b)", 0.0, 1e-13, "A", Need::required},
        F{"exponent", &EdfMzWear::exponent, "-", 0.0, 1.2, "b", Need::positive},
        F{"decay", &EdfMzWear::decay, "1/s", 0.0, 2.44e-8, "n", Need::required},
        F{"final_rate", &EdfMzWear::finalRate, "m^3/s", 0.0, 1.14e-16, "S", Need::required}};
  }
  static constexpr auto deckKeys() {
    return std::array{
        DeckKey{.name = "other.coefficient",
                .unit = "m^3/(s W^b)",
                .example = "2e-13",
                .meaning = "A of the other body: the obstacle, or the second node",
                .allowed = ">= 0",
                .fallback = "it does not wear",
                .with = "other.exponent = 1.2; other.decay = 2.44e-8; other.final_rate = 0"},
        DeckKey{.name = "other.exponent",
                .unit = "-",
                .example = "1.1",
                .meaning = "b of the other body",
                .allowed = "> 0",
                .with = "other.coefficient = 2e-13; other.decay = 2.44e-8; other.final_rate = 0"},
        DeckKey{.name = "other.decay",
                .unit = "1/s",
                .example = "1e-8",
                .meaning = "n of the other body",
                .allowed = ">= 0",
                .with = "other.coefficient = 2e-13; other.exponent = 1.2; other.final_rate = 0"},
        DeckKey{.name = "other.final_rate",
                .unit = "m^3/s",
                .example = "1e-16",
                .meaning = "S of the other body",
                .allowed = ">= 0",
                .with = "other.coefficient = 2e-13; other.exponent = 1.2; other.decay = 2.44e-8"}};
  }

  /// Worn volume [m^3] for a mean wear power [W] during a time [s].
  double volume(double power, double time) const noexcept {
    if (!(power > 0.0)) return 0.0;
    const double first = coefficient * std::pow(power, exponent);
    const double last = std::min(finalRate, first);
    const double fading = decay > 0.0 ? -std::expm1(-decay * time) / decay : time;
    return last * time + (first - last) * fading;
  }
};

using WearLaws = DescribedList<ArchardWear, EdfMzWear>;
using AnyWearLaw = WearLaws::Variant;

/// Keys of `wear` that are allowed with every wear law.
inline constexpr std::array kWearKeys{
    DeckKey{.name = "after",
            .unit = "s",
            .example = "3.15e7",
            .meaning = "time that is worn at the mean rate of a window",
            .allowed = "> 0",
            .fallback = "what the window wears"},
    DeckKey{.name = "shape",
            .unit = "-",
            .example = "\"flat\"",
            .meaning = "of the cut, for its depth",
            .allowed = "flat, ring, bore, crossed, table",
            .with = "radius = 0.01; length = 0.03"},
    DeckKey{.name = "radius",
            .unit = "m",
            .example = "0.01",
            .meaning = "R of the worn cylinder",
            .allowed = "> 0",
            .with = "shape = \"ring\"; length = 0.03"},
    DeckKey{.name = "length",
            .unit = "m",
            .example = "0.03",
            .meaning = "L of the contact along the cylinder; not of crossed",
            .allowed = "> 0",
            .with = "shape = \"ring\"; radius = 0.01"},
    DeckKey{.name = "inclination_deg",
            .unit = "degrees",
            .example = "0.5",
            .meaning = "a: how much the other body leans along the cylinder; of flat and bore",
            .allowed = ">= 0, < 90",
            .fallback = "0",
            .with = "shape = \"flat\"; radius = 0.01; length = 0.03"},
    DeckKey{.name = "bore_radius",
            .unit = "m",
            .example = "0.0105",
            .meaning = "R0 of the hole, larger than R",
            .allowed = "> 0",
            .with = "shape = \"bore\"; radius = 0.01; length = 0.03"},
    DeckKey{.name = "places",
            .unit = "-",
            .example = "2",
            .meaning = "n: places of a bore that share the worn volume",
            .allowed = ">= 1",
            .fallback = "1",
            .with = "shape = \"bore\"; radius = 0.01; bore_radius = 0.0105; length = 0.03"},
    DeckKey{.name = "other_radius",
            .unit = "m",
            .example = "0.012",
            .meaning = "R2 of the cylinder that crosses",
            .allowed = "> 0",
            .with = "shape = \"crossed\"; radius = 0.01; angle_deg = 30"},
    DeckKey{.name = "angle_deg",
            .unit = "degrees",
            .example = "30",
            .meaning = "c between the axes of crossed cylinders",
            .allowed = "> 0, <= 90",
            .with = "shape = \"crossed\"; radius = 0.01; other_radius = 0.012"},
    DeckKey{.name = "depths",
            .unit = "m",
            .example = "[0.0, 1e-4, 1e-3]",
            .meaning = "depths of a table, from 0 on",
            .allowed = "increasing",
            .with = "shape = \"table\"; volumes = [0.0, 1e-9, 5e-8]"},
    DeckKey{.name = "volumes",
            .unit = "m^3",
            .example = "[0.0, 1e-9, 5e-8]",
            .meaning = "worn at each depth of a table, from 0 on",
            .allowed = "increasing",
            .with = "shape = \"table\"; depths = [0.0, 1e-4, 1e-3]"}};

}  // namespace ricochet
