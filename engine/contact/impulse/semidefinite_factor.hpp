#pragma once

#include "physical/types.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// Factorizes a symmetric positive semidefinite matrix A = L L^t; the number of columns of L is the rank of
/// A. The next pivot is the row with the largest remaining part of A_ii. Source: N.J. Higham, Accuracy and
/// Stability of Numerical Algorithms, SIAM 2002, 10.3.
class SemidefiniteFactor {
 public:
  explicit SemidefiniteFactor(Eigen::Index largest);

  /// Factorizes the first n rows and columns of A. Rows with A_ii = 0 are left out.
  void factorize(const Matrix& a, Eigen::Index n) noexcept;

  /// Sets the columns of L to an orthonormal basis of the first n rows and columns of any matrix, instead of
  /// a factor; the matrix is overwritten. Rows and columns of zeros are left out.
  void orthonormaliseRows(Matrix& a, Eigen::Index n) noexcept;

  Eigen::Index rank() const noexcept { return rank_; }
  /// True if a non-zero row of the matrix depends linearly on other rows (orthonormaliseRows: a non-zero
  /// column on other columns).
  bool isRankDeficient() const noexcept { return rank_ < rows_; }
  double entry(Eigen::Index row, Eigen::Index column) const noexcept { return factor_(row, column); }
  double rowProduct(Eigen::Index row, std::span<const double> x) const noexcept;  ///< row of L times x

  /// Solves L_P w = c for the pivot rows P. Then L w equals c at the pivots; at the other rows L w is the
  /// value that c must have for A x = c to be solvable.
  std::span<const double> solveIndependentRows(std::span<const double> c) noexcept;

 private:
  Matrix factor_;
  std::vector<double> left_, reciprocal_, solution_;
  std::vector<Eigen::Index> pivots_;
  Eigen::Index rank_{0}, rows_{0}, size_{0};
};

}  // namespace ricochet
