#pragma once

#include "physical/types.hpp"

#include <Eigen/SparseCholesky>

#include <memory>
#include <optional>
#include <vector>

namespace ricochet {

/// Sparse LDL^t of K - sigma M, made once and solved many times.
class ShiftedFactorization {
 public:
  /// Throws BasisError when a pivot vanishes.
  ShiftedFactorization(const SparseMatrix& stiffness, const SparseMatrix& mass, double shift);

  /// Nothing when a pivot vanishes.
  static std::optional<ShiftedFactorization> attempt(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                                     double shift);

  double shift() const noexcept { return shift_; }
  int negativePivots() const { return static_cast<int>((factor_->vectorD().array() < 0.0).count()); }
  Vector solve(const Vector& rightHandSide) const { return factor_->solve(rightHandSide); }

  /// Throws BasisError when K - sigma M is not positive definite: an eigenvalue below the shift (an unstable
  /// structure), or a massless motion without stiffness, seen as a pivot that is rounding of its diagonal
  /// term.
  void requireDefinite() const;

 private:
  ShiftedFactorization() = default;
  bool compute(const SparseMatrix& stiffness, const SparseMatrix& mass, double shift);

  std::unique_ptr<Eigen::SimplicialLDLT<SparseMatrix>> factor_;  // Eigen's cannot be moved
  Vector diagonal_;                                              // of K - sigma M, in the order of the pivots
  double shift_{0.0};
};

/// k_ii / m_ii [rad^2/s^2] of the dofs that have both, increasing; {1} when none has.
std::vector<double> localOscillators(const SparseMatrix& stiffness, const SparseMatrix& mass);

/// 0 when K is definite; else a small negative shift that makes K - sigma M definite (rigid-body modes),
/// chosen from the diagonals of K and M so that it does not depend on the units.
double regularShift(const SparseMatrix& stiffness, const SparseMatrix& mass);

}  // namespace ricochet
