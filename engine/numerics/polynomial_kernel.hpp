#pragma once

#include <Eigen/Core>

namespace ricochet::kernels {

/// Evaluates p(t) = sum of coefficients_k t^k on a grid, values[i] = p((i + 1) end / kGrid), whose array is
/// 64-byte aligned; `extremes`: the smallest and the largest value, where no value is NaN.
inline constexpr int kGrid = 16;
void polynomialOnGrid(const double* coefficients, Eigen::Index count, double end, double* values,
                      double* extremes) noexcept;

/// Multiplies coefficient k by end^k, for `padded` coefficients (a multiple of kLanes), and gives four sums:
/// of the positive terms, of the negative terms, and of k (k - 1) times either.
void sumPolynomialTerms(double* terms, Eigen::Index padded, double end, double* sums) noexcept;

/// As sumPolynomialTerms, at most kMostPolynomialTerms terms, but the four sums are those of the terms, of
/// their sizes, and of k (k - 1) times either.
inline constexpr int kMostPolynomialTerms = 64;
void scalePolynomial(double* terms, Eigen::Index padded, double end, double* sums) noexcept;

}  // namespace ricochet::kernels
