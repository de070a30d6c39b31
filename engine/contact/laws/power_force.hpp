#pragma once

#include "engine/numerics/real.hpp"

namespace ricochet {

/// k d^n for d > 0, else 0.
template <class Real>
Real powerForce(double k, double n, const Real& d) noexcept {
  const Mask<Real> pressed = d > Real(0.0);
  if (!any(pressed)) return Real(0.0);  // the root has no slope there
  const Real depth = select(pressed, d, Real(0.0));
  if (n == 1.5) return k * (depth * sqrt(depth));
  return k * pow(depth, Real(n));
}

}  // namespace ricochet
