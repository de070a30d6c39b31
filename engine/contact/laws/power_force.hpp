#pragma once

#include "engine/contact/laws/normal_law.hpp"
#include "engine/numerics/real.hpp"

namespace ricochet {

/// Force of a power law, k d^n for a penetration d > 0, else 0 [N].
template <class Real>
Real powerLawForce(double k, double n, const Real& d) noexcept {
  const Mask<Real> pressed = d > Real(0.0);
  if (!any(pressed)) return Real(0.0);  // the square root has no derivative at 0
  const Real depth = select(pressed, d, Real(0.0));
  if (n == 1.5) return k * (depth * sqrt(depth));
  return k * pow(depth, Real(n));
}

/// Elastic energy k d^(n+1)/(n+1) of a power law [J], also in the state `released`; 0 if the contact is open.
template <class Real>
Real powerLawEnergy(NormalState state, double k, double n, const Real& d) noexcept {
  if (state == NormalState::open) return Real(0.0);
  return (1.0 / (n + 1.0)) * (powerLawForce(k, n, d) * d);
}

/// Guards and transitions of a force k d^n times a damping factor that decreases with the gap rate: the
/// contact is released when the factor becomes negative, and closed again when the factor becomes positive.
template <class Real>
NormalGuards<Real> guardsOfDampedForce(NormalState state, const Real& gap,
                                       const Real& dampingFactor) noexcept {
  switch (state) {
    case NormalState::open:
      return {gap, Real(1.0)};
    case NormalState::closed:
      return {dampingFactor, -gap};
    case NormalState::released:
      return {-dampingFactor, -gap};
  }
  return {};
}
inline NormalState stateAfterGuardOfDampedForce(NormalState state, std::size_t guard) noexcept {
  if (state == NormalState::open) return NormalState::closed;
  if (guard == 1) return NormalState::open;
  return state == NormalState::released ? NormalState::closed : NormalState::released;
}

}  // namespace ricochet
