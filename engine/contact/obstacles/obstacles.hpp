#pragma once

#include "engine/contact/obstacles/curved.hpp"
#include "engine/contact/obstacles/none.hpp"
#include "engine/contact/obstacles/plane.hpp"
#include "engine/contact/obstacles/slot.hpp"
#include "engine/numerics/description.hpp"
#include "engine/numerics/type_list.hpp"

#include <array>
#include <concepts>
#include <optional>
#include <type_traits>
#include <variant>

namespace ricochet {

/// Planar obstacle, in the local frame (e1, e2, e3) of a contact: the gap depends only on the first local
/// coordinate, and the normal is +e1 or -e1.
template <class O>
concept Obstacle = requires(const O o, double x) {
  { o.gap(x) }
  noexcept->std::same_as<double>;  // gap at the local coordinate [m], negative in penetration
  { o.normalSign(x) }
  noexcept->std::same_as<double>;  // +1 or -1: the normal is side e1
  { o.contactFreeInterval() }
  noexcept->std::same_as<FreeInterval>;
  O::keyword;
  requires std::same_as<std::remove_cvref_t<decltype(O::traits)>, PlanarTraits>;
  O::numericParameters();
};

using Obstacles = DescribedList<NoObstacle, Plane, Slot>;
static_assert(doesEachTypeDefineTraits(Obstacles{}));
using AnyObstacle = TypeList<NoObstacle, Plane, Slot, Curved>::Variant;

/// Calls f with the planar obstacle or with the curved shape.
template <class F>
auto visitObstacleShape(const AnyObstacle& any, F&& f) {
  return std::visit(
      [&]<class O>(const O& obstacle) {
        if constexpr (Obstacle<O>)
          return f(obstacle);
        else
          return std::visit(f, obstacle.shape);
      },
      any);
}

/// Calls f with a planar obstacle; returns `other` for a curved obstacle.
template <class F, class T>
T visitPlanarObstacle(const AnyObstacle& any, T other, F&& f) {
  return std::visit(
      [&]<class O>(const O& obstacle) -> T {
        if constexpr (Obstacle<O>)
          return f(obstacle);
        else
          return other;
      },
      any);
}

/// Shape of a curved obstacle; null for a planar obstacle.
inline const AnyCurvedObstacle* curvedObstacleOrNull(const AnyObstacle& any) noexcept {
  return std::visit(
      []<class O>(const O& obstacle) -> const AnyCurvedObstacle* {
        if constexpr (Obstacle<O>)
          return nullptr;
        else
          return &obstacle.shape;
      },
      any);
}
inline bool isCurved(const AnyObstacle& any) noexcept { return curvedObstacleOrNull(any) != nullptr; }

/// True if a body that rolls is inside the body of the obstacle.
inline bool isHole(const AnyObstacle& any) noexcept {
  const AnyCurvedObstacle* curved = curvedObstacleOrNull(any);
  return curved != nullptr && traitsOf(*curved).isHole;
}

/// Interval of the first local coordinate in which a planar obstacle is open [m]; empty for a curved
/// obstacle.
inline FreeInterval contactFreeIntervalOfObstacle(const AnyObstacle& any) noexcept {
  return visitPlanarObstacle(any, FreeInterval{},
                             [](const auto& obstacle) { return obstacle.contactFreeInterval(); });
}

/// True if the position of the node decides whether the contact is closed; false if its normal force is
/// imposed.
inline bool hasGap(const AnyObstacle& any) noexcept {
  return visitPlanarObstacle(any, true, []<class O>(const O&) -> bool { return O::traits.hasGap; });
}

/// Radius of the surface of an obstacle that can spin about e3 [m]; 0: the surface cannot spin.
inline double surfaceRadius(const AnyObstacle& any) noexcept {
  const AnyCurvedObstacle* curved = curvedObstacleOrNull(any);
  return curved == nullptr ? 0.0
                           : std::visit([](const auto& shape) { return shape.surfaceRadius(); }, *curved);
}

/// Normals of both sides for a place beyond a corner at which a rigid contact stops; empty elsewhere.
inline std::optional<std::array<Local<double>, 2>> normalsOfSidesAtCorner(const AnyObstacle& any,
                                                                          const Local<double>& x) noexcept {
  const AnyCurvedObstacle* curved = curvedObstacleOrNull(any);
  if (curved == nullptr) return {};
  return std::visit(
      [&](const auto& shape) -> std::optional<std::array<Local<double>, 2>> {
        if constexpr (requires { shape.normalsOfSidesAtCorner(x); }) return shape.normalsOfSidesAtCorner(x);
        return {};
      },
      *curved);
}

/// RoundGuard of an obstacle; its radius is 0 for an obstacle without one.
inline RoundGuard polynomialGapGuardOf(const AnyObstacle& any) noexcept {
  return visitObstacleShape(any, []<class O>(const O& shape) -> RoundGuard {
    if constexpr (requires { shape.polynomialGapGuard(); }) return shape.polynomialGapGuard();
    return {};
  });
}

/// Keyword of an obstacle in a deck.
inline std::string_view obstacleKeyword(const AnyObstacle& any) noexcept {
  return visitObstacleShape(any, [](const auto& shape) { return shape.keyword; });
}

}  // namespace ricochet
