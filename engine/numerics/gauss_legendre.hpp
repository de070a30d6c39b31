#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Gauss-Legendre points of [-1, 1], to integrate (exactly to degree 2 count - 1) and to interpolate.
struct GaussLegendre {
  explicit GaussLegendre(std::size_t count);

  std::vector<double> point;
  std::vector<double> weight;
  std::vector<double> barycentric;
};

/// Values at x of the polynomials through samples at points: the barycentric formula. Sample i of value c is
/// samples[i * stride + c].
void interpolate(std::span<const double> points, std::span<const double> barycentric, const double* samples,
                 std::size_t stride, double x, std::span<double> values) noexcept;

}  // namespace ricochet
