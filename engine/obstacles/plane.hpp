#pragma once

#include "engine/field.hpp"
#include "engine/obstacles/free_interval.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Half-space, free where the first local coordinate is positive; also two planes that face each other, one
/// on each node of a pair, whose distance is the first local coordinate.
///
///     gap g = x - t      normal = +e1
///
///   x  first local coordinate [m]      t  thickness of matter on the nodes [m]
/// `P`: what a constant is, a number or one for each lane of a batch.
template <class P = double>
struct PlaneOf {
  static constexpr std::string_view keyword = "plane";
  static constexpr bool kHasGap = true;

  P thickness{};

  static constexpr auto fields() {
    return std::array{
        Field<PlaneOf, P>{"thickness", &PlaneOf::thickness, "m", 0.0, 0.1, "matter on the nodes"}};
  }

  template <class Real>
  Real gap(const Real& x) const noexcept {
    return x - thickness;
  }
  template <class Real>
  Real side(const Real&) const noexcept {
    return Real(1.0);
  }
  /// Interval of x in which the contact is certainly open.
  FreeInterval freeInterval() const noexcept { return {thickness, kUnbounded}; }
};
using Plane = PlaneOf<>;

}  // namespace ricochet
