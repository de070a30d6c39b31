#pragma once

#include <Eigen/Core>

namespace ricochet::kernels {

/// Evaluates p(t) = sum of coefficients_k t^k on a grid, values[i] = p((i + 1) end / kGrid); arrays are
/// 64-byte aligned.
inline constexpr int kGrid = 16;
void polynomialOnGrid(const double* coefficients, Eigen::Index count, double end, double* values) noexcept;

/// Multiplies coefficient k by end^k, for `padded` coefficients (a multiple of kLanes), and gives four sums:
/// of the positive terms, of the negative terms, and of k (k - 1) times either.
void sumPolynomialTerms(double* terms, Eigen::Index padded, double end, double* sums) noexcept;

}  // namespace ricochet::kernels
