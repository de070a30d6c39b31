#pragma once

#include <Eigen/Core>

namespace ricochet::kernels {

/// values[i] = p((i + 1) end / kGrid) of p(t) = sum of coefficients_k t^k; 64-byte aligned.
inline constexpr int kGrid = 16;
void polynomialOnGrid(const double* coefficients, Eigen::Index count, double end, double* values) noexcept;

}  // namespace ricochet::kernels
