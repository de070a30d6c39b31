#pragma once

#include <cstddef>
#include <vector>

namespace ricochet {

/// Gauss-Legendre points of [-1, 1], to integrate (exactly to degree 2 count - 1) and to interpolate.
struct GaussLegendre {
  explicit GaussLegendre(std::size_t count);

  std::vector<double> point;
  std::vector<double> weight;
  std::vector<double> barycentric;
};

}  // namespace ricochet
