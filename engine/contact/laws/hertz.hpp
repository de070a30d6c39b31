#pragma once

#include "engine/contact/laws/normal_law.hpp"
#include "engine/contact/laws/power_force.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace ricochet {

/// Elastic contact of curved bodies: a spring whose stiffness grows with the penetration, without
/// dissipation.
struct Hertz {
  static constexpr std::string_view keyword = "hertz";
  static constexpr std::string_view title = "Elastic contact of curved bodies (Hertz)";
  static constexpr std::string_view formula =
      "N = k d^n,   d = max(0, -g)\n"
      "two spheres: k = 4/3 E* sqrt(R),  n = 3/2,  1/R = 1/R1 + 1/R2,\n"
      "             1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2\n"
      "\n"
      "g   gap [m], negative in penetration\n"
      "N   compression [N]";
  static constexpr std::string_view source = "H. Hertz, J. reine angew. Math. 92 (1882) 156-171";
  static constexpr NormalTraits traits{.setValued = false,
                                       .imposed = false,
                                       .form = ForceForm::power,
                                       .asksRate = false,
                                       .spring = false,
                                       .remembersApproach = false,
                                       .stiffens = true,
                                       .numbersOnly = true,
                                       .lanes = false};

  double stiffness{0.0};
  double exponent{1.5};

  static constexpr auto numericParameters() {
    using F = Field<Hertz>;
    return std::array{F{"stiffness", &Hertz::stiffness, "N/m^n", 0.0, 1.0e8, "stiffness k", Need::positive},
                      F{"exponent", &Hertz::exponent, "-", 1.0, 1.5, "exponent n, 3/2 for spheres"}};
  }

  template <class Real>
  Real force(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return state == NormalState::closed ? powerLawForce(stiffness, exponent, -k.gap) : Real(0.0);
  }
  template <class Real>
  NormalGuards<Real> guards(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return {state == NormalState::closed ? -k.gap : k.gap, Real(1.0)};
  }
  NormalState stateAfterTransition(NormalState state, std::size_t) const noexcept {
    return state == NormalState::closed ? NormalState::open : NormalState::closed;
  }
  template <class Real>
  Real storedEnergy(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return powerLawEnergy(state, stiffness, exponent, -k.gap);
  }

  /// The stiffness grows with the penetration without bound: the law gives no step limit.
  double contactStiffness() const noexcept { return 0.0; }
  double contactDamping() const noexcept { return 0.0; }
  bool doesForceDependOnGapRate() const noexcept { return false; }
  /// No law of the list of normal laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }
};

}  // namespace ricochet
