#pragma once

#include "engine/event/series/modal_waves.hpp"
#include "engine/event/series/volterra_basis.hpp"

namespace ricochet {

/// Tables of a step of length h for a structure with uncoupled modes: its exact free motion at the points of
/// a basis, and its response to forces that are interpolated at these points. Any damping, also rigid-body
/// modes.
///
///     q_j(t) = A_j(t) q_j + B_j(t) v_j + integral of B_j(t - s) f_j(s) ds       (A, B as in ModalDrift)
///
/// Forces are exact as polynomials of degree P - 1; the kernels B_j are interpolated at N points, to
/// (theta/4)^N 2/N! of the largest theta = omega h (1e-15 for N = 32 and theta = 17) up to critical damping,
/// and to exp(-R/2) I_N(R/2) of the largest R = r h of modes beyond it that decay as exp(-r t) (1e-15 for N =
/// 32 and R = 25).
class VolterraTables {
 public:
  VolterraTables(const VolterraBasis& basis, const LinearSystem& linear, const ModalWaves& waves, double h);

  double stepLength() const noexcept { return step_; }

  // Displacement at each point after a unit displacement and after a unit velocity: padded modes x P.
  const Matrix& responsesToUnitDisplacement() const noexcept { return displaced_; }
  const Matrix& responsesToUnitVelocity() const noexcept { return moved_; }
  // Velocity at the end after a unit displacement and after a unit velocity.
  const Vector& endVelocityAfterUnitDisplacement() const noexcept { return endDisplaced_; }
  const Vector& endVelocityAfterUnitVelocity() const noexcept { return endMoved_; }
  /// Displacements and velocities at the end under a force T_k(2 t/h - 1): for each block of kLanes modes,
  /// kLanes of both for each k.
  const double* endMotionUnderChebyshevForces() const noexcept { return pushed_.data(); }

  // Response B_j and its rate at the kernel points: padded modes x N.
  const Matrix& modalResponseKernel() const noexcept { return kernel_; }
  const Matrix& modalResponseKernelRate() const noexcept { return kernelRate_; }

 private:
  void tabulateModalResponseKernels(const VolterraBasis& basis, const LinearSystem& linear,
                                    const ModalWaves& waves);
  void integrateResponseKernels(const VolterraBasis& basis);

  double step_;
  Matrix displaced_, moved_;
  Vector endDisplaced_, endMoved_;
  Vector pushed_;
  Matrix kernel_, kernelRate_;
};

}  // namespace ricochet
