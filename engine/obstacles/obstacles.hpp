#pragma once

#include "engine/obstacles/none.hpp"
#include "engine/obstacles/plane.hpp"
#include "engine/obstacles/slot.hpp"
#include "engine/type_list.hpp"

#include <concepts>

namespace ricochet {

/// Where a body may not go, in the contact's own frame (e1, e2, e3). These obstacles are planar: the gap is a
/// function of the first local coordinate only, and the normal is +e1 or -e1.
template <class O>
concept Obstacle = requires(const O o, double x) {
  { o.gap(x) }
  noexcept->std::same_as<double>;  // [m], negative in penetration
  { o.side(x) }
  noexcept->std::same_as<double>;  // +1 or -1: the normal is side e1
  { o.freeInterval() }
  noexcept->std::same_as<FreeInterval>;
  O::keyword;
  O::kHasGap;
  O::fields();
};

using Obstacles = TypeList<NoObstacle, Plane, Slot>;
using AnyObstacle = Obstacles::Variant;

}  // namespace ricochet
