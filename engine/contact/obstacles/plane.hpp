#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/planar.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Half-space, free where the first local coordinate is positive; also two parallel planes that face each
/// other, one on each node of a pair; their distance is the first local coordinate.
/// `P`: type of the constants, a double or one value per lane (variant of a batch).
template <class P = double>
struct PlaneOf {
  static constexpr std::string_view keyword = "plane";
  static constexpr std::string_view title = "Half-space, or two planes that face each other";
  static constexpr std::string_view formula =
      "gap g = x - t      normal = +e1\n"
      "\n"
      "x   along the normal from the plane, or from plane to plane [m]\n"
      "t   matter on the node, or on both nodes of a pair [m]";
  static constexpr std::string_view source =
      "geometry: the distance to a plane; OBST type BI_PLAN of Code_Aster, R5.06.03, for a pair";
  static constexpr PlanarTraits traits{.hasGap = true, .spinsAboutNormal = true, .lanes = true};
  template <class Q>
  using InLanes = PlaneOf<Q>;

  P thickness{};

  static constexpr auto numericParameters() {
    return std::array{
        Field<PlaneOf, P>{"thickness", &PlaneOf::thickness, "m", 0.0, 0.1, "matter on the nodes"}};
  }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kNormal,
                      DeckKey{.name = "gap",
                              .unit = "m",
                              .example = "0.01",
                              .need = Need::required,
                              .meaning = "from `position` of the node to the plane; not of a pair"},
                      DeckKey{.name = "point",
                              .unit = "m",
                              .example = "[-0.01, 0, 0]",
                              .meaning = "a point of the plane; not of a pair",
                              .instead = "gap"},
                      keys::kTangent,
                      keys::kTangentAxis,
                      keys::kThickness,
                      keys::kSurfaceVelocity,
                      keys::kSurfaceSpin,
                      keys::kCarriedBy,
                      keys::kRollingRadius};
  }

  template <class Real>
  Real gap(const Real& x) const noexcept {
    return x - thickness;
  }
  template <class Real>
  Real normalSign(const Real&) const noexcept {
    return Real(1.0);
  }
  /// Interval of x in which the contact is open [m].
  FreeInterval contactFreeInterval() const noexcept { return {thickness, kUnbounded}; }
};
using Plane = PlaneOf<>;

}  // namespace ricochet
