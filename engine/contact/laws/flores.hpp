#pragma once

#include "engine/contact/laws/normal_law.hpp"
#include "engine/contact/laws/power_force.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace ricochet {

/// Impact of elastic bodies with a given coefficient of restitution. The damping force is proportional to the
/// gap rate over the closing speed v_0, so that the restitution does not depend on the impact speed. A
/// contact that is closed from the start at rest, or closed with v_0 = 0, is not damped; a contact that
/// closes slowly and is compressed faster afterwards is damped more strongly than in an impact.
struct Flores {
  static constexpr std::string_view keyword = "flores";
  static constexpr std::string_view title =
      "Elastic impact by its restitution (Flores; Lankarani, Nikravesh)";
  static constexpr std::string_view formula =
      "N = max(0, k d^n (1 - chi g'/v_0)),   d = max(0, -g)\n"
      "damping = \"flores\":              chi = 8 (1 - c_r)/(5 c_r)\n"
      "damping = \"lankarani_nikravesh\": chi = 3 (1 - c_r^2)/4\n"
      "restitution e of a free mass at any speed: chi (1 + e) = ln((1 + chi)/(1 - chi e)),\n"
      "near c_r by flores, and by lankarani_nikravesh where c_r is near 1\n"
      "\n"
      "g    gap [m], negative in penetration\n"
      "g'   gap rate [m/s], positive when separating\n"
      "v_0  -g' where the contact closed [m/s]; 0: N = k d^n\n"
      "N    compression [N]";
  static constexpr std::string_view source =
      "P. Flores, M. Machado, M.T. Silva, J.M. Martins, Multibody Syst. Dyn. 25 (2011) 357-375; H.M. "
      "Lankarani, "
      "P.E. Nikravesh, J. Mech. Des. 112 (1990) 369-376";
  static constexpr NormalTraits traits{.setValued = false,
                                       .imposed = false,
                                       .form = ForceForm::power,
                                       .asksRate = true,
                                       .spring = false,
                                       .remembersApproach = true,
                                       .stiffens = true,
                                       .numbersOnly = true,
                                       .lanes = false};

  double stiffness{0.0};
  double exponent{1.5};
  double restitution{1.0};
  bool lankaraniNikravesh{false};  ///< chi of Lankarani and Nikravesh instead of Flores

  static constexpr auto numericParameters() {
    using F = Field<Flores>;
    return std::array{F{"stiffness", &Flores::stiffness, "N/m^n", 0.0, 1.0e8, "stiffness k", Need::positive},
                      F{"exponent", &Flores::exponent, "-", 1.0, 1.5, "exponent n, 3/2 for spheres"},
                      F{"restitution", &Flores::restitution, "-", 0.0, 0.8, "restitution coefficient c_r",
                        Need::positive, 1.0}};
  }
  static constexpr auto choiceParameters() {
    return std::array{Choice<Flores>{{.name = "damping",
                                      .unit = "-",
                                      .example = "\"lankarani_nikravesh\"",
                                      .meaning = "factor chi",
                                      .allowed = "flores, lankarani_nikravesh",
                                      .fallback = "\"flores\""},
                                     &Flores::lankaraniNikravesh}};
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
  bool doesForceDependOnGapRate() const noexcept { return restitution < 1.0; }
  /// No law of the list of normal laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }

 private:
  double dampingCoefficient() const noexcept {
    return lankaraniNikravesh ? 0.75 * (1.0 - restitution * restitution)
                              : 1.6 * (1.0 - restitution) / restitution;
  }
  template <class Real>
  Real dampingFactor(const NormalKinematics<Real>& k) const noexcept {
    const Mask<Real> closedMoving = k.approach > Real(0.0);
    const Real speed = select(closedMoving, k.approach, Real(1.0));
    return select(closedMoving, 1.0 - dampingCoefficient() * (k.gapRate / speed), Real(1.0));
  }
};

}  // namespace ricochet
