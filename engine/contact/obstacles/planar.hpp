#pragma once

#include "engine/numerics/trait.hpp"

#include <limits>

namespace ricochet {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Open interval of the first local coordinate in which a planar obstacle is not touched [m]. Empty by
/// default.
struct FreeInterval {
  double low{kUnbounded};
  double high{-kUnbounded};

  bool contains(double x) const noexcept { return x > low && x < high; }
};

/// What a planar obstacle says of itself. No answer has a default.
struct PlanarTraits {
  Trait<bool> hasGap;            ///< where the node is tells whether it touches
  Trait<bool> spinsAboutNormal;  ///< its surface can spin about e1
  Trait<bool> lanes;             ///< it has a form `InLanes<P>` whose constants differ by lane
};

}  // namespace ricochet
