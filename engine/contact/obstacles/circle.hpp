#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/touch.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Inside of a round hole about the axis e3, for example a tube in its support. At the centre the normal is
/// -e1.
struct Circle {
  static constexpr std::string_view keyword = "circle";
  static constexpr std::string_view title = "Inside of a round hole";
  static constexpr std::string_view formula =
      "gap g = c - r      normal = -(x1, x2)/r      r = sqrt(x1^2 + x2^2)\n"
      "\n"
      "x   place from the centre, across the axis [m]\n"
      "c   `gap`, the radial clearance";
  static constexpr std::string_view source =
      "geometry: the distance to a circle; OBST type CERCLE of Code_Aster, R5.06.03";
  static constexpr CurvedTraits traits{.inPlane = true, .byFields = false, .isHole = true, .onlyBySteps = ""};

  double clearance{0.0};
  double body{0.0};  ///< radius of the body in the hole [m]; used where the surface of the hole spins

  static constexpr auto numericParameters() {
    return std::array{
        Field<Circle>{"gap", &Circle::clearance, "m", 0.0, 0.01, "radial clearance c", Need::required}};
  }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kAxis,        keys::kCenter,    keys::kThickness,    keys::kSurfaceVelocity,
                      keys::kSurfaceSpin, keys::kCarriedBy, keys::kRollingRadius};
  }

  template <class Real>
  Touch<Real> gapAndNormal(const Local<Real>& x) const noexcept {
    const Real square = x[0] * x[0] + x[1] * x[1];
    if (!(square > 0.0)) return {Real(clearance), {Real(-1.0), Real(0.0), Real(0.0)}};
    const Real r = sqrt(square);
    return {clearance - r, {-x[0] / r, -x[1] / r, Real(0.0)}};
  }

  double surfaceRadius() const noexcept { return -(clearance + body); }
  RoundGuard polynomialGapGuard() const noexcept { return {.radius = clearance, .axes = 2, .inside = true}; }
};

}  // namespace ricochet
