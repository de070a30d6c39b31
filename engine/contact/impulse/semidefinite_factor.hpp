#pragma once

#include "physical/types.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// A = L L^t of a symmetric positive semidefinite matrix, L of as many columns as A has independent rows: the
/// row with the largest part left is the next pivot. Source: N.J. Higham, Accuracy and Stability of Numerical
/// Algorithms, SIAM 2002, 10.3.
class SemidefiniteFactor {
 public:
  explicit SemidefiniteFactor(Eigen::Index largest);

  /// Factorizes the first n rows and columns of A. Rows with A_ii = 0 count as none.
  void factorize(const Matrix& a, Eigen::Index n) noexcept;

  Eigen::Index rank() const noexcept { return rank_; }
  /// True if a non-zero row of the matrix depends linearly on other rows.
  bool isDeficient() const noexcept { return rank_ < rows_; }
  double entry(Eigen::Index row, Eigen::Index column) const noexcept { return factor_(row, column); }
  double row(Eigen::Index row, std::span<const double> x) const noexcept;  ///< of L x

  /// L_P^-1 c of the pivots P: then L w has the entries of c at the pivots, and at the other rows what A x =
  /// c asks there.
  std::span<const double> solvePivots(std::span<const double> c) noexcept;

 private:
  Matrix factor_;
  std::vector<double> left_, reciprocal_, solution_;
  std::vector<Eigen::Index> pivots_;
  Eigen::Index rank_{0}, rows_{0}, size_{0};
};

}  // namespace ricochet
