#pragma once

#include "engine/contact/friction_law.hpp"
#include "engine/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Coulomb friction with static and dynamic coefficients and an elastic stick.
///
///     T* = T_a - k_t (s - s_a) - c_t s'                       trial traction
///     T  = T*                      while sticking, |T*| <= mu_s N
///     T  = mu_d N T*/|T*|          while slipping, |T*| >  mu_d N      (return along T*, not along the
///     velocity)
///
///   s, s'  tangential position [m] and its rate [m/s]     N  compression [N]      T  traction on the node
///   [N] T_a, s_a  anchor: traction and position where the tangential spring was last hooked; it moves while
///   slipping k_t  stick stiffness [N/m]      c_t  stick damping [N s/m]      mu_s >= mu_d  coefficients [-]
///
/// mu_s rules until slip starts, mu_d while it lasts. The dashpot c_t acts in stick only: slip is at mu_d N
/// exactly. Stick resumes when the trial traction falls into the cone again, e = T/|T|:
///     c_t = 0   k_t s'.e + mu_d N' = 0: when the plastic slip rate vanishes; at constant N that is s' = 0
///     c_t > 0   s'.e = 0: over an instant dt the trial traction changes by -(k_t dt + c_t) s', of which the
///               dashpot's part is finite, while the cone changes by mu_d N' dt
/// No threshold on the velocity anywhere, so the law does not depend on the units.
/// When a damped stick breaks away, the part of mu_d N that its dashpot carried is from then on counted as
/// carried by the spring: the stored energy may gain up to (mu_d N)^2 / (2 k_t), at the expense of what is
/// booked as slip. The regularisation errs by an elastic slip of mu N / k_t. Return mapping: J.C. Simo, T.A.
/// Laursen, Comput. Struct. 42 (1992) 97-116.
struct RegularisedCoulomb {
  static constexpr std::string_view keyword = "coulomb";
  static constexpr bool kTraction = true;
  static constexpr bool kSetValued = false;

  double muStatic{0.0};
  double muDynamic{0.0};
  double stiffness{0.0};
  double damping{0.0};

  static constexpr auto fields() {
    using F = Field<RegularisedCoulomb>;
    return std::array{
        F{"static", &RegularisedCoulomb::muStatic, "-", 0.0, 0.3, "static coefficient mu_s"},
        F{"dynamic", &RegularisedCoulomb::muDynamic, "-", 0.0, 0.2, "dynamic coefficient mu_d"},
        F{"stiffness", &RegularisedCoulomb::stiffness, "N/m", 0.0, 1.0e5, "stick stiffness k_t"},
        F{"damping", &RegularisedCoulomb::damping, "N s/m", 0.0, 50.0, "stick damping c_t"}};
  }

  template <class Real>
  Tangential<Real> force(FrictionState state, const FrictionKinematics<Real>& k,
                         const FrictionMemory<Real>& memory) const noexcept {
    return state == FrictionState::stick ? trialForce(k, memory)
                                         : scaled(muDynamic * k.compression, memory.direction);
  }

  /// Stick: (mu_s N)^2 - |T*|^2 [N^2]. Slip: -s'.e, less mu_d N'/k_t without a dashpot [m/s].
  template <class Real>
  Real guard(FrictionState state, const FrictionKinematics<Real>& k,
             const FrictionMemory<Real>& memory) const noexcept {
    if (state == FrictionState::slip) {
      const double unloading = damping > 0.0 ? 0.0 : muDynamic / stiffness;
      return -dot(k.slipRate, memory.direction) - unloading * k.compressionRate;
    }
    const Tangential<Real> t = trialForce(k, memory);
    const Real limit = muStatic * k.compression;
    return limit * limit - dot(t, t);
  }

  /// Distance to the cone along a unit vector, mu_s N - T*.e [N]: what `guard` is for motion along one line.
  template <class Real>
  Real margin(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory,
              const Tangential<double>& e) const noexcept {
    const Tangential<Real> t = trialForce(k, memory);
    return muStatic * k.compression - (e.first * t.first + e.second * t.second);
  }

  /// Rate at which the traction turns while slipping, from T' = -k_t (s' + lambda e) with |T| = mu_d N:
  ///     e' = -k_t (s' - (s'.e) e) / (mu_d N)                                                     [rad/s]
  template <class Real>
  Tangential<Real> turningRate(const FrictionKinematics<Real>& k, const Tangential<Real>& e) const noexcept {
    const Tangential<Real> across = k.slipRate - scaled(dot(k.slipRate, e), e);
    return scaled(-stiffness / (muDynamic * k.compression), across);
  }

  /// Memory on entry of a state. Slip: the traction keeps its direction. Stick: the spring is hooked where
  /// the slip stopped, with the traction it had.
  template <class Real>
  FrictionMemory<Real> enter(FrictionState state, const FrictionKinematics<Real>& k,
                             const FrictionMemory<Real>& memory) const noexcept {
    FrictionMemory<Real> next = memory;
    if (state == FrictionState::slip) {
      const Tangential<Real> t = trialForce(k, memory);
      next.direction = unit(t, dot(t, t));
      next.slipping = Mask<Real>(true);
    } else {
      next.anchorForce = scaled(muDynamic * k.compression, memory.direction);
      next.anchorPosition = k.position;
      next.slipping = Mask<Real>(false);
    }
    return next;
  }

  template <class Real>
  FrictionTrial<Real> trial(const FrictionKinematics<Real>& k,
                            const FrictionMemory<Real>& memory) const noexcept {
    const Tangential<Real> t = trialForce(k, memory);
    const Real limit = select(memory.slipping, muDynamic * k.compression, muStatic * k.compression);
    const Real square = dot(t, t);
    const Mask<Real> slips = square > limit * limit;

    if (!any(slips)) return {t, {memory.anchorForce, memory.anchorPosition, memory.direction, slips}};
    const Tangential<Real> direction = unit(t, select(slips, square, Real(1.0)));
    const Tangential<Real> sliding = scaled(muDynamic * k.compression, direction);
    return {select<Real>(slips, sliding, t),
            {select<Real>(slips, sliding, memory.anchorForce),
             select<Real>(slips, k.position, memory.anchorPosition),
             select<Real>(slips, direction, memory.direction), slips}};
  }

  /// Energy of the tangential spring, |T_a - k_t (s - s_a)|^2 / (2 k_t).
  template <class Real>
  Real stored(const FrictionKinematics<Real>& k, const FrictionMemory<Real>& memory) const noexcept {
    const Tangential<Real> t = elasticForce(k, memory);
    return (0.5 / stiffness) * dot(t, t);
  }

  /// By how much the traction falls when slip starts, (mu_s - mu_d) N [N].
  double breakawayDrop(double compression) const noexcept { return (muStatic - muDynamic) * compression; }

  double contactStiffness() const noexcept { return stiffness; }
  double contactDamping() const noexcept { return damping; }

 private:
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

}  // namespace ricochet
