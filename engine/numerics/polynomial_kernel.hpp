#pragma once

#include <Eigen/Core>

namespace ricochet::kernels {

/// Evaluates p(t) = sum of coefficients_k t^k on a grid, values[i] = p((i + 1) end / kGrid); arrays are
/// 64-byte aligned.
inline constexpr int kGrid = 16;
void polynomialOnGrid(const double* coefficients, Eigen::Index count, double end, double* values) noexcept;

}  // namespace ricochet::kernels
