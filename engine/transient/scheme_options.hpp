#pragma once

#include "engine/contact/impulse/impact_law.hpp"
#include "engine/numerics/description.hpp"
#include "engine/numerics/field.hpp"

#include <array>

namespace ricochet {

/// Keys of a deck that only some schemes use: each scheme lists its keys in `keys`.
inline constexpr std::array kSchemeKeys{
    DeckKey::optional("beta", "-", "0.25", "share of the acceleration at the end in the displacement")
        .allows("0 to 1")
        .defaultsTo("0.25"),
    DeckKey::optional("gamma", "-", "0.5", "share of the acceleration at the end in the velocity")
        .allows("0.5 to 1")
        .defaultsTo("0.5"),
    DeckKey::optional("alpha", "-", "-0.05", "by how much the balance of forces is shifted back")
        .allows("-1/3 to 0")
        .defaultsTo("-0.05"),
    DeckKey::optional("tolerance", "-", "{ absolute = 1e-12, relative = 1e-8 }",
                      "error allowed per step, in the energy norm [J^1/2] and of its largest so far [-]")
        .defaultsTo("absolute 1e-12, relative 1e-8; event: 0, 1e-12"),
    DeckKey::optional("step_min", "s", "1e-9", "shortest step")
        .allows("> 0")
        .defaultsTo("1e-14 of the duration"),
    DeckKey::optional("step_max", "s", "1e-3", "longest step")
        .allows("> 0")
        .defaultsTo("the duration; adaptive_central: a twentieth of the shortest period, 0.9 of the "
                    "limit of central_difference"),
    DeckKey::optional("propagator", "-", "\"chebyshev\"",
                      "from event to event by power series of all modes, or by exact modes and contact "
                      "forces as Chebyshev polynomials")
        .allows("taylor, chebyshev")
        .defaultsTo("chosen as the run goes"),
    DeckKey::optional(
        "impact_law", "-", "\"sequential\"",
        "restitution where rigid contacts act on each other in an impact: all at once, of the rates "
        "before it or of the impulses of compression; or one contact after another")
        .allows("newton, poisson, sequential")
        .defaultsTo("newton")};

/// Propagator of the event scheme between events: `taylor` is a power series of all modes, whose step
/// omega_max limits; `chebyshev` integrates the modes exactly with contact forces as Chebyshev polynomials;
/// `automatic` selects one of the two during the run.
enum class Propagator { automatic, taylor, chebyshev };

/// Parameters of the schemes; each scheme uses the parameters that it lists in `keys`.
struct SchemeOptions {
  double beta{0.25};    ///< parameter of newmark [-]
  double gamma{0.5};    ///< parameter of newmark [-]
  double alpha{-0.05};  ///< parameter of hht [-], in [-1/3, 0]
  // Local error allowed per step in rk32 and rk54, in the energy norm sqrt(|v|^2 + |omega q|^2).
  double absoluteTolerance{1e-12};  ///< absolute tolerance [J^1/2]
  double relativeTolerance{1e-8};   ///< relative tolerance [-], times the largest norm so far
  // Local error allowed per step in the event scheme; this tolerance determines its step.
  double eventAbsoluteTolerance{0.0};    ///< absolute tolerance [J^1/2]
  double eventRelativeTolerance{1e-12};  ///< relative tolerance [-]
  Propagator propagator{Propagator::automatic};
  ImpactLaw impactLaw{ImpactLaw::newton};
  double stepMin{0.0};  ///< smallest step [s]; 0: a tiny fraction of the run
  double stepMax{0.0};  ///< largest step [s]; 0: no limit, or the default of the scheme

  /// Ranges of the numbers. For gamma < 1/2, the motion grows numerically for every step.
  static constexpr auto numericParameters() {
    using F = Field<SchemeOptions>;
    constexpr Need kMayLack = Need::optional;
    return std::array{
        F{"beta", &SchemeOptions::beta, "-", 0.0, 0.25, "parameter of newmark", kMayLack, 1.0},
        F{"gamma", &SchemeOptions::gamma, "-", 0.5, 0.5, "parameter of newmark", kMayLack, 1.0},
        F{"alpha", &SchemeOptions::alpha, "-", -1.0 / 3.0, -0.05, "parameter of hht", kMayLack, 0.0},
        F{"tolerance.absolute", &SchemeOptions::absoluteTolerance, "J^1/2", 0.0, 1e-12, "error per step"},
        F{"tolerance.relative", &SchemeOptions::relativeTolerance, "-", 1e-15, 1e-8, "error per step",
          kMayLack, 0.1},
        F{"tolerance.absolute", &SchemeOptions::eventAbsoluteTolerance, "J^1/2", 0.0, 1e-12,
          "error per step of event"},
        F{"tolerance.relative", &SchemeOptions::eventRelativeTolerance, "-", 1e-15, 1e-12,
          "error per step of event", kMayLack, 0.1},
        F{"step_min", &SchemeOptions::stepMin, "s", 0.0, 1e-9, "shortest step"},
        F{"step_max", &SchemeOptions::stepMax, "s", 0.0, 1e-3, "longest step"}};
  }
};

}  // namespace ricochet
