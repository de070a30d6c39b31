#pragma once

#include "engine/contact/obstacles/curved.hpp"
#include "engine/contact/obstacles/none.hpp"
#include "engine/contact/obstacles/plane.hpp"
#include "engine/contact/obstacles/slot.hpp"
#include "engine/numerics/description.hpp"
#include "engine/numerics/type_list.hpp"

#include <concepts>
#include <type_traits>
#include <variant>

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

using Obstacles = DescribedList<NoObstacle, Plane, Slot>;
using AnyObstacle = TypeList<NoObstacle, Plane, Slot, Curved>::Variant;

/// What an obstacle is called in a deck.
inline std::string_view keywordOf(const AnyObstacle& any) noexcept {
  return std::visit(
      []<class O>(const O& shape) -> std::string_view {
        if constexpr (std::is_same_v<O, Curved>)
          return std::visit([](const auto& curved) { return curved.keyword; }, shape.shape);
        else
          return shape.keyword;
      },
      any);
}

/// Calls f with a planar obstacle; of a curved one it returns `other`.
template <class F, class T>
T visitPlanar(const AnyObstacle& any, T other, F&& f) {
  return std::visit(
      [&]<class O>(const O& shape) -> T {
        if constexpr (std::is_same_v<O, Curved>)
          return other;
        else
          return f(shape);
      },
      any);
}

}  // namespace ricochet
