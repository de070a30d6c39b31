#pragma once

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

}  // namespace ricochet
