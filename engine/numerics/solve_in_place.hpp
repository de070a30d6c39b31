#pragma once

#include "physical/types.hpp"

#include <cmath>
#include <utility>

namespace ricochet {

/// Solves a x = right in place by Gaussian elimination with partial pivoting; a is n x n at the upper left of
/// `matrix`, which is overwritten, and has `columns` right-hand sides. Returns false if a is singular.
/// Allocates nothing.
template <class Right>
bool solveInPlace(Matrix& matrix, Right& right, Eigen::Index n, Eigen::Index columns) noexcept {
  auto a = matrix.topLeftCorner(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    a.col(k).segment(k, n - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    if (!(std::abs(a(pivot, k)) > 0.0)) return false;
    if (pivot != k) {
      a.row(k).swap(a.row(pivot));
      for (Eigen::Index c = 0; c < columns; ++c) std::swap(right(k, c), right(pivot, c));
    }
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      if (factor == 0.0) continue;
      for (Eigen::Index j = k + 1; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (Eigen::Index c = 0; c < columns; ++c) right(i, c) -= factor * right(k, c);
    }
  }
  for (Eigen::Index c = 0; c < columns; ++c)
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      for (Eigen::Index j = i + 1; j < n; ++j) right(i, c) -= a(i, j) * right(j, c);
      right(i, c) /= a(i, i);
    }
  return true;
}

}  // namespace ricochet
