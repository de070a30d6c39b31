#pragma once

#include "engine/event/volterra_basis.hpp"
#include "engine/modal_equation.hpp"

namespace ricochet {

/// What a step of h needs of a structure whose modes are uncoupled: its exact free motion at the points of a
/// basis, and what forces that are interpolated at these points do to it. Any damping, rigid-body modes too.
///
///     q_j(t) = A_j(t) q_j + B_j(t) v_j + integral of B_j(t - s) f_j(s) ds       (A, B as in ModalDrift)
///
/// Forces are exact as polynomials of degree P - 1; the kernels B_j are interpolated at N points, to
/// (theta/4)^N 2/N! of the largest theta = omega h (1e-17 for N = 32 and theta = 17).
class VolterraTables {
 public:
  VolterraTables(const VolterraBasis& basis, const LinearSystem& linear, double h);

  double step() const noexcept { return step_; }

  // padded, by mode: displacement at point l after a unit displacement and after a unit velocity
  const double* displaced(int l) const noexcept { return displaced_.col(l).data(); }
  const double* moved(int l) const noexcept { return moved_.col(l).data(); }
  // velocity at the end after them
  const double* endDisplaced() const noexcept { return endDisplaced_.data(); }
  const double* endMoved() const noexcept { return endMoved_.data(); }
  // displacement and velocity at the end under a force that is 1 at point l and 0 at the others
  const double* pushedDisplacement(int l) const noexcept { return pushedDisplacement_.col(l).data(); }
  const double* pushedVelocity(int l) const noexcept { return pushedVelocity_.col(l).data(); }

  /// Displacement along row a at point l under a force along row b that is 1 at point l' and 0 at the others:
  /// element (l, l') of `compliance` (P x P). Symmetric in a and b. False where no mode has both: it is zero.
  bool compliance(const double* a, const double* b, Matrix& compliance) const;

  /// Bound of what interpolation at the points leaves out of a mode's free motion anywhere in the step, per
  /// unit of sqrt(v^2 + omega^2 q^2) at its start [s]. That energy never grows, and with u = (omega q, v), u'
  /// = A u, |A| <= omega + c, so that |d^P q/dt^P| <= (omega + c)^(P-1) |u|; the remainder of
  /// Chebyshev-Lobatto points is 4 (h/4)^P/P! of it.
  const double* freeRemainder() const noexcept { return freeRemainder_.data(); }

 private:
  const VolterraBasis* basis_;
  double step_;
  Matrix displaced_, moved_;  // padded modes x P
  Vector endDisplaced_, endMoved_;
  Vector freeRemainder_;
  Matrix pushedDisplacement_, pushedVelocity_;  // padded modes x P
  Matrix kernel_;                               // padded modes x N: B_j at the kernel points
};

}  // namespace ricochet
