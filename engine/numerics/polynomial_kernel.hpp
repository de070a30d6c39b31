#pragma once

#include <Eigen/Core>

namespace ricochet::kernels {

/// Evaluates a polynomial p(t), the sum of coefficients_k t^k, on a grid, values[i] = p((i + 1) end / kGrid),
/// whose array is 64-byte aligned.
inline constexpr int kGrid = 16;
void evaluatePolynomialOnGrid(const double* coefficients, Eigen::Index count, double end,
                              double* values) noexcept;

/// The same on [0, 1], where values[-1] is p(0). `range`: the smallest and the largest value, and the largest
/// size of a second difference of the values, where no value is NaN.
void polynomialRangeOnGrid(const double* coefficients, Eigen::Index count, double* values,
                           double* range) noexcept;

/// Multiplies coefficient k by end^k, for `padded` coefficients (a multiple of kLanes), and gives four sums:
/// of the positive terms, of the negative terms, and of k (k - 1) times either.
void sumPolynomialTerms(double* terms, Eigen::Index padded, double end, double* sums) noexcept;

/// Terms coefficients_k end^k, but 0 for the first, of at most kMostPolynomialTerms coefficients; the array
/// of the terms is 64-byte aligned and has room for a multiple of kLanes. Gives four sums: of the terms, of
/// their sizes, and of either times their arches. The arch of order k is the largest value of x - x^k on [0,
/// 1].
inline constexpr int kMostPolynomialTerms = 64;
void scalePolynomial(const double* coefficients, Eigen::Index count, double end, double* terms,
                     double* sums) noexcept;

/// Gives three sums over `padded` terms of a polynomial (a multiple of kLanes), and 0: of the terms of the
/// second derivative, of their sizes, and of the sizes of the terms of the fourth derivative.
void sumDerivativeTerms(const double* terms, Eigen::Index padded, double* sums) noexcept;

}  // namespace ricochet::kernels
