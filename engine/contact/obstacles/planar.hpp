#pragma once

#include "engine/numerics/trait.hpp"

#include <cmath>
#include <limits>

namespace ricochet {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Open interval of the first local coordinate [m] in which the contact with a planar obstacle is open; empty
/// by default.
struct FreeInterval {
  double low{kUnbounded};
  double high{-kUnbounded};

  bool contains(double x) const noexcept { return x > low && x < high; }
  bool isHalfLine() const noexcept { return std::isfinite(low) && !std::isfinite(high); }
  bool isBounded() const noexcept { return std::isfinite(low) && std::isfinite(high); }
};

/// Properties of a planar obstacle. No property has a default value.
struct PlanarTraits {
  Trait<bool> hasGap;            ///< the position of the node decides whether the contact is closed
  Trait<bool> spinsAboutNormal;  ///< the surface can spin about e1
  Trait<bool> lanes;             ///< a form `InLanes<P>` with constants per vector lane exists
};

}  // namespace ricochet
