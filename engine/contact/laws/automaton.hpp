#pragma once

#include "engine/contact/laws/friction_keys.hpp"
#include "engine/contact/laws/frictionless.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace ricochet {

/// The slip and stick automaton of DYNA_VIBRA, for comparison with earlier studies.
///
/// The direction of slip is that of the velocity, so friction may do positive work on the structure at a
/// reversal of slip; the threshold v_0 depends on the unit of length; without k_t the contact cannot stick.
/// RegularisedCoulomb has none of these defects. For time-stepping schemes only. A body that is held with the
/// traction mu_d N while N falls and mu_s = mu_d slips at once, against its least velocity, and is turned
/// back: schemes with error control follow this in ever shorter steps.
struct Automaton : Frictionless {
  static constexpr std::string_view keyword = "automaton";
  static constexpr std::string_view title = "The slip and stick automaton of DYNA_VIBRA";
  static constexpr std::string_view formula =
      "slip, if it slipped or was open, v.v_old >= 0 and |v| > v_0:   T = -mu_d N v/|v|\n"
      "else stick:   T = T_a - k_t (x - x_a) - c_t v;   if |T| > mu_s N it slips: T = -mu_d N v/|v|\n"
      "\n"
      "x         position in the tangent plane [m]\n"
      "v, v_old  slip rate now and at the evaluation before [m/s]\n"
      "T_a, x_a  traction and position when it last slipped\n"
      "N         compression [N]";
  static constexpr std::string_view source =
      "DIS_CHOC with stick and slip of Code_Aster (DYNA_VIBRA), R5.06.03";
  static constexpr bool kChosenByKeys = false;
  static constexpr FrictionTraits traits{.traction = true,
                                         .coefficients = true,
                                         .setValued = false,
                                         .dashpot = true,
                                         .coneStick = false,
                                         .ofArea = false,
                                         .asksRate = true,
                                         .ofSpeed = false,
                                         .opensSlipping = true,
                                         .anchorsPlace = true,
                                         .numbersOnly = true,
                                         .branchesBySteps = true,
                                         .lanes = false,
                                         .noSeries = "friction defined by steps of time",
                                         .noImpulse = "friction defined by steps of time"};

  double muStatic{0.0};
  double muDynamic{0.0};
  double stiffness{0.0};
  double damping{0.0};
  double threshold{1e-6};

  static constexpr auto numericParameters() {
    using F = Field<Automaton>;
    return std::array{
        F{"static", &Automaton::muStatic, "-", 0.0, 0.3, "static coefficient mu_s", Need::required},
        F{"dynamic", &Automaton::muDynamic, "-", 0.0, 0.2, "dynamic coefficient mu_d", Need::required},
        F{"stiffness", &Automaton::stiffness, "N/m", 0.0, 1.0e5, "stick stiffness k_t", Need::required},
        F{"damping", &Automaton::damping, "N s/m", 0.0, 50.0, "stick damping c_t", Need::required},
        F{"threshold", &Automaton::threshold, "m/s", 0.0, 1.0e-6,
          "slip rate v_0, in the unit of the model's velocities"}};
  }
  static constexpr auto deckKeys() { return std::array{friction_keys::kCoefficient}; }

  /// Return mapping of the automaton; `memory.direction` contains v_old. At the end of a step of an implicit
  /// scheme, possibly neither stick nor slip satisfies the balance of forces: if |T| > mu_s N and v points
  /// along T, slip reverses T, which reverses v. With `memory.keepsBranch`, slip keeps the direction of
  /// v_old, and stick ends only after the step.
  template <class Real>
  FrictionTrial<Real> computeTrial(const FrictionKinematics<Real>& k,
                                   const FrictionMemory<Real>& memory) const noexcept {
    constexpr double kLeast = 2.2e-16;  // a smaller speed is zero [m/s]
    const Real square = dot(k.slipRate, k.slipRate);
    const bool moves = square > kLeast * kLeast;
    const Tangential<Real> sliding =
        moves ? scaled(-muDynamic * k.compression, unitVector(k.slipRate, square)) : Tangential<Real>{};
    const FrictionTrial<Real> slip{sliding, {sliding, k.position, k.slipRate, true}};
    if (memory.slipping && !(Real(0.0) > dot(k.slipRate, memory.direction)) && square > threshold * threshold)
      return slip;
    if (memory.keepsBranch && memory.slipping) {
      const Real before = dot(memory.direction, memory.direction);
      const Tangential<Real> kept =
          before > kLeast * kLeast ? scaled(-muDynamic * k.compression, unitVector(memory.direction, before))
                                   : Tangential<Real>{};
      return {kept, {kept, k.position, k.slipRate, true}};
    }
    const Tangential<Real> held = memory.anchorForce - scaled(stiffness, k.position - memory.anchorPosition) -
                                  scaled(damping, k.slipRate);
    const Real limit = muStatic * k.compression;
    const bool breaksAway = dot(held, held) > limit * limit;
    if (breaksAway && !memory.keepsBranch) return slip;
    return {held, {memory.anchorForce, memory.anchorPosition, k.slipRate, breaksAway}};
  }

  template <class Real>
  Real storedEnergy(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory) const noexcept {
    if (!(stiffness > 0.0)) return Real(0.0);
    const Tangential<Real> spring =
        memory.anchorForce - scaled(stiffness, k.position - memory.anchorPosition);
    return (0.5 / stiffness) * dot(spring, spring);
  }

  bool bearsTraction() const noexcept { return muStatic > 0.0 || muDynamic > 0.0; }
  double contactStiffness() const noexcept { return stiffness; }
  double contactDamping() const noexcept { return damping; }
  /// No law of the list of friction laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }
};

}  // namespace ricochet
