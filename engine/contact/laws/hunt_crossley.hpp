#pragma once

#include "engine/contact/laws/normal_law.hpp"
#include "engine/contact/laws/power_force.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace ricochet {

/// Normal contact of Hunt and Crossley: stiffness and damping grow with the penetration, so that no force
/// jumps at closing.
struct HuntCrossley {
  static constexpr std::string_view keyword = "hunt_crossley";
  static constexpr std::string_view title = "Elastic contact with damping (Hunt and Crossley)";
  static constexpr std::string_view formula =
      "N = max(0, k d^n (1 - 3/2 c g')),   d = max(0, -g)\n"
      "restitution e of a free mass at the speed v, chi = 3/2 c:\n"
      "chi v (1 + e) = ln((1 + chi v)/(1 - chi e v));   e = 1 - c v for small c v\n"
      "\n"
      "g   gap [m], negative in penetration\n"
      "g'  gap rate [m/s], positive when separating\n"
      "N   compression [N]";
  static constexpr std::string_view source = "K.H. Hunt, F.R.E. Crossley, J. Appl. Mech. 42 (1975) 440-445";
  static constexpr NormalTraits traits{.setValued = false,
                                       .imposed = false,
                                       .form = ForceForm::power,
                                       .asksRate = true,
                                       .spring = false,
                                       .remembersApproach = false,
                                       .stiffens = true,
                                       .numbersOnly = true,
                                       .lanes = false};

  double stiffness{0.0};
  double exponent{1.5};
  double damping{0.0};

  static constexpr auto numericParameters() {
    using F = Field<HuntCrossley>;
    return std::array{
        F{"stiffness", &HuntCrossley::stiffness, "N/m^n", 0.0, 1.0e8, "stiffness k", Need::positive},
        F{"exponent", &HuntCrossley::exponent, "-", 1.0, 1.5, "exponent n, 3/2 for spheres"},
        F{"damping", &HuntCrossley::damping, "s/m", 0.0, 0.1, "damping factor c"}};
  }

  template <class Real>
  Real force(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    if (state != NormalState::closed) return Real(0.0);
    return powerLawForce(stiffness, exponent, -k.gap) * dampingFactor(k);
  }
  template <class Real>
  NormalGuards<Real> guards(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return guardsOfDampedForce(state, k.gap, dampingFactor(k));
  }
  NormalState stateAfterTransition(NormalState state, std::size_t guard) const noexcept {
    return stateAfterGuardOfDampedForce(state, guard);
  }
  template <class Real>
  Real storedEnergy(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return powerLawEnergy(state, stiffness, exponent, -k.gap);
  }

  /// The stiffness grows with the penetration without bound: the law gives no step limit.
  double contactStiffness() const noexcept { return 0.0; }
  double contactDamping() const noexcept { return 0.0; }
  bool doesForceDependOnGapRate() const noexcept { return damping > 0.0; }
  /// No law of the list of normal laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }

 private:
  template <class Real>
  Real dampingFactor(const NormalKinematics<Real>& k) const noexcept {
    return 1.0 - (1.5 * damping) * k.gapRate;
  }
};

}  // namespace ricochet
