#pragma once

#include "modal/symmetric_factor.hpp"
#include "physical/types.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ricochet {

/// Sparse LDL^t of K - sigma M, made once and solved many times.
class ShiftedFactorization {
 public:
  /// Throws BasisError when a pivot vanishes.
  ShiftedFactorization(const SparseMatrix& stiffness, const SparseMatrix& mass, double shift);

  /// Nothing when a pivot vanishes, or is rounding of its diagonal term.
  static std::optional<ShiftedFactorization> attempt(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                                     double shift);

  /// At 0 when K is definite; else at a small negative shift that makes K - sigma M definite (rigid-body
  /// modes), chosen from the diagonals of K and M so that it does not depend on the units. Throws BasisError
  /// when a pivot vanishes.
  static ShiftedFactorization regular(const SparseMatrix& stiffness, const SparseMatrix& mass);

  double shift() const noexcept { return shift_; }
  int negativePivots() const { return factor_->negativePivots(); }
  Vector solve(Vector rightHandSide) const {
    factor_->solve(rightHandSide);
    return rightHandSide;
  }
  /// In the place of the right-hand sides, which share one pass over the factor.
  void solveAll(Eigen::Ref<Matrix> columns) const { factor_->solve(columns); }

  /// Throws BasisError when K - sigma M is not positive definite: an eigenvalue below the shift (an unstable
  /// structure), or a massless motion without stiffness, seen as a pivot that is rounding of its diagonal
  /// term.
  void requireDefinite() const;

 private:
  ShiftedFactorization(std::unique_ptr<SymmetricFactor> factor, double shift)
      : factor_(std::move(factor)), shift_(shift) {}

  std::unique_ptr<SymmetricFactor> factor_;
  double shift_{0.0};
};

/// k_ii / m_ii [rad^2/s^2] of the dofs that have both, increasing; {1} when none has.
std::vector<double> localOscillators(const SparseMatrix& stiffness, const SparseMatrix& mass);

}  // namespace ricochet
