#pragma once

#include "engine/event/series/volterra_basis.hpp"
#include "engine/model/linear_system.hpp"

namespace ricochet {

/// Bounds of the motion of uncoupled modes over a step of length h, one per mode, padded. The energy E^2 =
/// v^2 + omega^2 q^2 of a free mode never grows, for any damping c. B(t), the free motion after a unit
/// velocity, has E = 1, hence |B| <= t, |B| <= 1/omega and |B'| <= 1; from critical damping on B is also
/// positive, has the integral 1/omega^2 and stays below 1/c.
class VolterraBounds {
 public:
  VolterraBounds(const VolterraBasis& basis, const LinearSystem& linear, double h);

  /// Factor 1 for slow modes, whose bound is a distance from the line q + t v; 0 for fast modes, whose bound
  /// is a distance from 0.
  const Vector& slowModeMask() const noexcept { return line_; }
  /// Largest distance of a free mode from q + t v or 0, per unit of E [s]. From q + t v, |q''| <= (omega + c)
  /// E and |q'| <= E give min((omega + c) h^2/2, 2 h); from 0 it is 1/omega.
  const Vector& largestDepartureOfFreeMotion() const noexcept { return departure_; }
  /// Largest displacement under a force of size 1 from rest, the integral of |B| [s^2]: min(h^2/2, h/omega),
  /// from critical damping on also 1/omega^2 and h/c.
  const Vector& largestDisplacementUnderUnitForce() const noexcept { return reach_; }

  /// Interpolation error of the free motion, per unit of E [s]. At Chebyshev-Lobatto points it is at most 4
  /// (h/4)^P/P! |d^P q/dt^P|; with u = (omega q, v), u' = A u, |A| <= omega + c this derivative is below
  /// (omega + c)^(P-1) |u|. The error is also at most (1 + L) |q|, where L = 1 + 2/pi ln P exceeds the
  /// Lebesgue constant of the points.
  const Vector& freeMotionInterpolationError() const noexcept { return freeRemainder_; }

  /// Interpolation error of the response from rest to a force T_k(2 t/h - 1), column k of padded modes x P
  /// [s^2]. The P-th derivative of the force is zero, so that y = d^P q/dt^P is a free motion from y(0),
  /// y'(0), which follow from the derivatives of the force at 0: |y| <= E/omega and |y| <= |y(0)| + h E.
  Matrix forcedMotionInterpolationError(const VolterraBasis& basis, const LinearSystem& linear) const;

 private:
  Vector line_, departure_, reach_, freeRemainder_;
  double step_;
  double most_;        // bound 1 + L
  double share_{4.0};  // factor 4 (h/4)^P/P!
};

}  // namespace ricochet
