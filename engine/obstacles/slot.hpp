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
struct Slot {
  static constexpr std::string_view keyword = "slot";
  static constexpr bool kHasGap = true;

  double clearance{0.0};

  static constexpr auto fields() {
    return std::array{Field<Slot>{"gap", &Slot::clearance, "m", 0.0, 0.01, "half-distance of the planes"}};
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

}  // namespace ricochet
