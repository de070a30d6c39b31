#pragma once

#include "engine/numerics/state.hpp"

namespace ricochet {

/// Modes that some rows see and the others do not, side by side: from `begin` on, both padded to kLanes.
struct ModePlane {
  Eigen::Index begin{0};
  Eigen::Index size{0};

  Eigen::Index end() const noexcept { return begin + size; }
  bool operator==(const ModePlane&) const = default;
};

/// A row over all planes, padded, that is zero outside its own.
struct PlaneRow {
  const double* values;
  ModePlane plane;

  /// Where it begins not to be zero.
  const double* data() const noexcept { return values + plane.begin; }
};

}  // namespace ricochet
