#pragma once

#include "engine/field.hpp"
#include "engine/obstacles/free_interval.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// No geometry: the contact is always closed and its normal force is imposed. The first local coordinate is
/// the displacement along the normal; it opens nothing.
struct NoObstacle {
  static constexpr std::string_view keyword = "none";
  static constexpr bool kHasGap = false;
  static constexpr auto fields() { return std::array<Field<NoObstacle>, 0>{}; }

  template <class Real>
  Real gap(const Real& x) const noexcept {
    return x;
  }
  template <class Real>
  Real side(const Real&) const noexcept {
    return Real(1.0);
  }
  /// Interval of x in which the contact is certainly open: none.
  FreeInterval freeInterval() const noexcept { return {}; }
};

}  // namespace ricochet
