#pragma once

#include "engine/contact/laws/friction_keys.hpp"
#include "engine/contact/laws/friction_law.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ricochet {

/// Coulomb friction with static and dynamic coefficients and an elastic, damped stick: a spring k_t parallel
/// to a dashpot c_t, in series with a slider. The symbols are those of `formula`.
///
/// mu_s limits the traction until slip starts, mu_d during slip: slip is at mu_d N exactly. Stick starts when
/// the rate of the slider, s' + (T - T_e)/c_t, becomes zero: then T* = T, so the traction does not jump
/// (without a dashpot: k_t s'.e + mu_d N' = 0 with e = T/|T|; at constant N this is s' = 0). No velocity
/// threshold is needed, so the law does not depend on the units. The error of the regularisation is an
/// elastic slip of mu N / k_t.
/// `P`: type of the constants, a double or one value per lane (variant of a batch).
template <class P = double>
struct RegularisedCoulombOf {
  static constexpr std::string_view keyword = "coulomb";
  static constexpr std::string_view title = "Coulomb friction with an elastic, damped stick";
  static constexpr std::string_view formula =
      "T* = T_e - c_t s'               trial traction, of a slider that is held\n"
      "T  = T*                         while sticking, |T*| <= mu_s N; T_e = T_a - k_t (s - s_a)\n"
      "T  = mu_d N T*/|T*|             while slipping, |T*| > mu_d N (along T*, not along s')\n"
      "T_e' = -(k_t/c_t) (T_e - T)     while slipping: spring and dashpot carry T\n"
      "T_e = T                         the same without a dashpot\n"
      "\n"
      "s, s'     tangential position [m] and its rate [m/s]\n"
      "N         compression [N]\n"
      "T         traction on the node [N]\n"
      "T_e       force of the spring [N]\n"
      "T_a, s_a  what it was where the spring was last hooked";
  static constexpr std::string_view source =
      "J.C. Simo, T.A. Laursen, Comput. Struct. 42 (1992) 97-116 (return mapping)";
  static constexpr bool kChosenByKeys = true;  ///< the key `stiffness` without `law` selects this law
  static constexpr FrictionTraits traits{.traction = true,
                                         .coefficients = true,
                                         .setValued = false,
                                         .dashpot = true,
                                         .coneStick = true,
                                         .ofArea = false,
                                         .asksRate = false,
                                         .ofSpeed = false,
                                         .opensSlipping = false,
                                         .anchorsPlace = false,
                                         .numbersOnly = true,
                                         .branchesBySteps = false,
                                         .lanes = true,
                                         .noSeries = "",
                                         .noImpulse = ""};
  template <class Q>
  using InLanes = RegularisedCoulombOf<Q>;

  P muStatic{};
  P muDynamic{};
  P stiffness{};
  P damping{};

  static constexpr auto numericParameters() {
    using F = Field<RegularisedCoulombOf, P>;
    return std::array{F{"static", &RegularisedCoulombOf::muStatic, "-", 0.0, 0.3, "static coefficient mu_s",
                        Need::required},
                      F{"dynamic", &RegularisedCoulombOf::muDynamic, "-", 0.0, 0.2,
                        "dynamic coefficient mu_d", Need::required},
                      F{"stiffness", &RegularisedCoulombOf::stiffness, "N/m", 0.0, 1.0e5,
                        "stick stiffness k_t", Need::positive},
                      F{"damping", &RegularisedCoulombOf::damping, "N s/m", 0.0, 50.0, "stick damping c_t"}};
  }
  static constexpr auto deckKeys() {
    namespace keys = friction_keys;
    return std::array{keys::kCoefficient, keys::kStickDamping, keys::kAlong, keys::kAcross};
  }

  template <class Real>
  Tangential<Real> force(FrictionState state, const FrictionKinematics<Real>& k,
                         const FrictionMemory<Real>& memory) const noexcept {
    return state == FrictionState::stick ? trialForce(k, memory)
                                         : scaled(muDynamic * k.compression, memory.direction);
  }

  /// Guard of stick or slip, positive while the state holds. Stick: (mu_s N)^2 - |T*|^2 [N^2]. Slip: |T*|^2 -
  /// (mu_d N)^2 [N^2]; without a dashpot the rate of the slider, -s'.e - mu_d N'/k_t [m/s].
  template <class Real>
  Real guard(FrictionState state, const FrictionKinematics<Real>& k,
             const FrictionMemory<Real>& memory) const noexcept {
    const bool slip = state == FrictionState::slip;
    if (slip && damping == 0.0)
      return -dot(k.slipRate, memory.direction) - (muDynamic / stiffness) * k.compressionRate;
    const Tangential<Real> t = trialForce(k, memory);
    const Real limit = (slip ? muDynamic : muStatic) * k.compression;
    return slip ? dot(t, t) - limit * limit : limit * limit - dot(t, t);
  }

  /// Excess of the trial traction over the limit of slip, T*.e - mu_d N [N]: positive while a damped slider
  /// slips. A linear form of `guard` for motion along one line.
  template <class Real>
  Real tractionAboveDynamicFriction(const FrictionKinematics<Real>& k,
                                    const FrictionMemory<Real>& memory) const noexcept {
    return dot(trialForce(k, memory), memory.direction) - muDynamic * k.compression;
  }

  /// Distance to the friction cone along a unit vector e, mu_s N - T*.e [N]: a linear form of `guard` for
  /// motion along one line.
  template <class Real>
  Real frictionConeMargin(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory,
                          const Tangential<double>& e) const noexcept {
    const Tangential<Real> t = trialForce(k, memory);
    return muStatic * k.compression - (e.first * t.first + e.second * t.second);
  }

  /// Rate at which the traction turns while slipping, from T' = -k_t (s' + lambda e) with |T| = mu_d N:
  ///     e' = -k_t (s' - (s'.e) e) / (mu_d N)                                                     [rad/s]
  template <class Real>
  Tangential<Real> turningRateOfTraction(const FrictionKinematics<Real>& k,
                                         const Tangential<Real>& e) const noexcept {
    const Tangential<Real> across = k.slipRate - scaled(dot(k.slipRate, e), e);
    return scaled(-stiffness / (muDynamic * k.compression), across);
  }

  /// Relaxation rate kappa = k_t/c_t of the spring force towards the traction in slip [1/s]; 0 without a
  /// dashpot: the spring force is the traction.
  double relaxationRate() const noexcept { return damping > 0.0 ? stiffness / damping : 0.0; }

  /// Direction of the traction of a damped slip, T*/|T*|; `memory` holds T_e at the present position.
  template <class Real>
  Tangential<Real> slipDirection(const FrictionKinematics<Real>& k,
                                 const FrictionMemory<Real>& memory) const noexcept {
    const Tangential<Real> t = trialForce(k, memory);
    return unitVector(t, dot(t, t));
  }

  /// Rate of the spring's force in a damped slip under a traction, -kappa (T_e - T) [N/s].
  template <class Real>
  Tangential<Real> springForceRate(const FrictionMemory<Real>& memory,
                                   const Tangential<Real>& traction) const noexcept {
    return scaled(-relaxationRate(), memory.anchorForce - traction);
  }

  /// Friction memory at the start of a state. At the start of slip, the traction keeps its direction. At the
  /// start of stick, the anchor of the spring is the position where the slip stopped, with the spring force
  /// at this position.
  template <class Real>
  FrictionMemory<Real> frictionMemoryAtStateStart(FrictionState state, const FrictionKinematics<Real>& k,
                                                  const FrictionMemory<Real>& memory) const noexcept {
    FrictionMemory<Real> next = memory;
    if (state == FrictionState::slip) {
      const Tangential<Real> t = trialForce(k, memory);
      next.direction = unitVector(t, dot(t, t));
      next.slipping = Mask<Real>(true);
      if (damping == 0.0) return next;
      next.anchorForce = elasticForce(k, memory);
      next.anchorPosition = k.position;
    } else {
      next.anchorForce =
          damping > 0.0 ? elasticForce(k, memory) : scaled(muDynamic * k.compression, memory.direction);
      next.anchorPosition = k.position;
      next.slipping = Mask<Real>(false);
    }
    return next;
  }

  template <class Real>
  FrictionTrial<Real> computeTrial(const FrictionKinematics<Real>& k,
                                   const FrictionMemory<Real>& memory) const noexcept {
    const Tangential<Real> t = trialForce(k, memory);
    // If the trial traction is opposite to the slip, the slip has stopped within the step, and mu_s is the
    // limit.
    const Real resting = muStatic * k.compression, moving = muDynamic * k.compression;
    const Mask<Real> hasStopped = Real(0.0) > dot(t, memory.direction);
    const Real limit = select(memory.slipping, select(hasStopped, resting, moving), resting);
    const Real square = dot(t, t);
    const Mask<Real> slips = square > limit * limit;

    if (!any(slips)) return {t, {memory.anchorForce, memory.anchorPosition, memory.direction, slips}};
    const Tangential<Real> direction = unitVector(t, select(slips, square, Real(1.0)));
    const Tangential<Real> sliding = scaled(muDynamic * k.compression, direction);
    return {select<Real>(slips, sliding, t),
            {select<Real>(slips, relaxedSpringForce(k, memory, sliding), memory.anchorForce),
             select<Real>(slips, k.position, memory.anchorPosition),
             select<Real>(slips, direction, memory.direction), slips}};
  }

  /// Energy of the tangential spring [J], |T_a - k_t (s - s_a)|^2 / (2 k_t).
  template <class Real>
  Real storedEnergy(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory) const noexcept {
    const Tangential<Real> t = elasticForce(k, memory);
    return (0.5 / stiffness) * dot(t, t);
  }

  bool bearsTraction() const noexcept requires std::is_same_v<P, double> {
    return muStatic > 0.0 || muDynamic > 0.0;
  }

  /// Drop of the traction when slip starts, (mu_s - mu_d) N [N].
  P tractionDropAtBreakaway(P compression) const noexcept { return (muStatic - muDynamic) * compression; }

  P contactStiffness() const noexcept { return stiffness; }
  P contactDamping() const noexcept { return damping; }

  /// The law in series with a spring of flexibility S has the stiffness k_t/(1 + k_t S); a law with a dashpot
  /// has no such form.
  std::optional<RegularisedCoulombOf> lawWithSpringInSeries(
      double flexibility) const noexcept requires std::is_same_v<P, double> {
    if (damping > 0.0) return std::nullopt;
    return RegularisedCoulombOf{muStatic, muDynamic, stiffness / (1.0 + stiffness * flexibility), 0.0};
  }

 private:
  /// Force of the spring at the end of a trial that slips, from D' = -D/tau - T', D = T_e - T, tau = c_t/k_t,
  /// with T linear in time and exp(-x) approximated by 1/(1 + x + x^2/2), x = elapsed/tau: second order;
  /// equal to T when c_t = 0. A slip that begins in this trial starts to relax in the next trial; for mu_s =
  /// 0 the spring never has a force.
  template <class Real>
  Tangential<Real> relaxedSpringForce(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory,
                                      const Tangential<Real>& sliding) const noexcept {
    const Mask<P> damped = damping > 0.0;
    if (!any(damped)) return sliding;
    const P x = stiffness * k.elapsed / damping;
    const P decay = 1.0 / (1.0 + x + 0.5 * x * x);
    const Tangential<Real> before =
        scaled(muDynamic * (k.compression - k.elapsed * k.compressionRate), memory.direction);
    const Tangential<Real> next =
        sliding +
        scaled(Real(decay), memory.anchorForce - before - scaled(Real(1.0 + 0.5 * x), sliding - before));
    const Mask<P> bears = muStatic > 0.0;
    const Tangential<Real> first = selectByCondition(bears, elasticForce(k, memory), Tangential<Real>{});
    return selectByCondition(damped, select<Real>(memory.slipping, next, first), sliding);
  }

  template <class Real>
  Tangential<Real> elasticForce(const FrictionKinematics<Real>& k,
                                const FrictionMemory<Real>& memory) const noexcept {
    return memory.anchorForce - scaled(stiffness, k.position - memory.anchorPosition);
  }
  template <class Real>
  Tangential<Real> trialForce(const FrictionKinematics<Real>& k,
                              const FrictionMemory<Real>& memory) const noexcept {
    return elasticForce(k, memory) - scaled(damping, k.slipRate);
  }
};
using RegularisedCoulomb = RegularisedCoulombOf<>;

}  // namespace ricochet
