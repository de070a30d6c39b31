#pragma once

#include "engine/schemes/modal_drift.hpp"

namespace ricochet {

/// Exact motion of the structure over a step h under a constant force f:
///
///     (q, v) <- exp(h [[0, I], [-Omega^2, -C]]) (q, v) + (S f, S' f),   S = integral of B(tau) over 0..h
///
/// B as in modal_drift.hpp and S' = B(h). S is symmetric and positive semidefinite for any h (undamped: (1 -
/// cos(omega h))/omega^2). The work f.(q+ - q) is exactly the sum of the energy gain of the structure and its
/// damping loss: contact forces that do no work over the step create no energy, whatever the length of the
/// step.
class ModalResponse {
 public:
  explicit ModalResponse(const LinearSystem& linear);

  /// Computes the tables for h [s]; they are kept while the step is unchanged. Returns true if the tables
  /// were recomputed.
  bool prepare(double h);
  double stepLength() const noexcept { return drift_.stepLength(); }

  /// Advances (q, v) over the step under the constant force f.
  void advance(const Vector& f, Vector& q, Vector& v) const noexcept;

  /// Mean rate along row a per impulse h f along row b, a.S b / h^2 [1/kg]. Both rows are padded.
  double compliance(const double* a, const double* b) const noexcept;

 private:
  const LinearSystem* linear_;
  ModalDrift drift_;
  Vector position_, velocity_;                // S and S' per mode, for uncoupled modes
  Matrix coupledPosition_, coupledVelocity_;  // S and S' as matrices, for coupled modes
  Vector none_, other_;
  mutable Vector responses_;
};

}  // namespace ricochet
