#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Gauss-Legendre points on [-1, 1] for integration (exact to degree 2 count - 1) and interpolation.
struct GaussLegendre {
  explicit GaussLegendre(std::size_t count);

  std::vector<double> point;
  std::vector<double> weight;
  std::vector<double> barycentric;
};

/// Values at x of the polynomials through samples at `points`, by the barycentric formula. Sample i of
/// polynomial c is samples[i * stride + c].
void interpolate(std::span<const double> points, std::span<const double> barycentric, const double* samples,
                 std::size_t stride, double x, std::span<double> values) noexcept;

}  // namespace ricochet
