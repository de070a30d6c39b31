#pragma once

#include "engine/schemes/modal_drift.hpp"

namespace ricochet {

/// Exact motion of the structure over a step h under a force that is constant meanwhile:
///
///     (q, v) <- exp(h [[0, I], [-Omega^2, -C]]) (q, v) + (S f, S' f),   S = integral of B(tau) over 0..h
///
/// B as in modal_drift.hpp and S' = B(h). S is symmetric and positive semidefinite whatever h (undamped: (1 -
/// cos(omega h))/omega^2), and the work f.(q+ - q) is exactly what the structure gains and its damping takes:
/// contact forces that do no work over the step make no energy, however long it is.
class ModalResponse {
 public:
  explicit ModalResponse(const LinearSystem& linear);

  /// Makes the tables for h [s]; kept for as long as the step stays the same. Returns whether it was another.
  bool prepare(double h);
  double step() const noexcept { return drift_.step(); }

  /// Flies (q, v) over the step under f.
  void fly(const Vector& f, Vector& q, Vector& v) const noexcept;

  /// a.S b / h^2: mean rate along row a, per impulse h f along row b [1/kg]. Padded rows.
  double compliance(const double* a, const double* b) const noexcept;

 private:
  const LinearSystem* linear_;
  ModalDrift drift_;
  Vector position_, velocity_;                // S and S', uncoupled modes
  Matrix coupledPosition_, coupledVelocity_;  // modes coupled
  Vector none_, other_;
  mutable Vector responses_;
};

}  // namespace ricochet
