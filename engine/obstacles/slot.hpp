#pragma once

#include "engine/field.hpp"
#include "engine/obstacles/free_interval.hpp"
#include "engine/real.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Two parallel planes at a distance on either side of a centre; the nearer one counts.
///
///     gap g = c - |x|      normal = -sign(x) e1
///
///   x  first local coordinate, from the centre [m]      c  half-distance of the planes [m]
/// `P`: what a constant is, a number or one for each lane of a batch.
template <class P = double>
struct SlotOf {
  static constexpr std::string_view keyword = "slot";
  static constexpr bool kHasGap = true;

  P clearance{};

  static constexpr auto fields() {
    return std::array{
        Field<SlotOf, P>{"gap", &SlotOf::clearance, "m", 0.0, 0.01, "half-distance of the planes"}};
  }

  template <class Real>
  Real gap(const Real& x) const noexcept {
    return clearance + side(x) * x;
  }
  /// Sign of the normal along e1: away from the nearer plane.
  template <class Real>
  Real side(const Real& x) const noexcept {
    return select(x > 0.0, Real(-1.0), Real(1.0));
  }
  /// Interval of x in which the contact is certainly open.
  FreeInterval freeInterval() const noexcept { return {-clearance, clearance}; }
};
using Slot = SlotOf<>;

}  // namespace ricochet
