#pragma once

#include "engine/numerics/state.hpp"

namespace ricochet {

/// A plane: contiguous modes that only some rows couple. `begin` and `size` are multiples of kLanes.
struct ModePlane {
  Eigen::Index begin{0};
  Eigen::Index size{0};

  Eigen::Index end() const noexcept { return begin + size; }
  bool operator==(const ModePlane&) const = default;
};

/// A row over the modes of all planes, padded, that is zero outside its own plane.
struct PlaneRow {
  const double* values;
  ModePlane plane;

  /// Values of the row in its plane.
  const double* data() const noexcept { return values + plane.begin; }
};

}  // namespace ricochet
