#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/touch.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Outside of a round bar about the axis e3; also two discs side by side, one on each node of a pair. On the
/// axis the normal is e1.
struct Disc {
  static constexpr std::string_view keyword = "disc";
  static constexpr std::string_view title = "Outside of a round bar, or two discs";
  static constexpr std::string_view formula =
      "gap g = r - R      normal = (x1, x2)/r      r = sqrt(x1^2 + x2^2)\n"
      "\n"
      "x   place from the axis [m]\n"
      "R   radius of the bar and of the matter on the nodes [m]";
  static constexpr std::string_view source =
      "geometry: the distance to a circle; OBST type BI_CERCLE of Code_Aster, R5.06.03, for a pair";
  static constexpr CurvedTraits traits{
      .inPlane = true, .byFields = false, .isHole = false, .onlyBySteps = ""};

  double radius{0.0};
  double body{0.0};  ///< part of `radius` that is the radius of the first node's body [m]

  static constexpr auto numericParameters() {
    return std::array{Field<Disc>{"radius", &Disc::radius, "m", 0.0, 0.01,
                                  "radius of the bar; of a pair `thickness`", Need::positive}};
  }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kAxis,        keys::kCenter,    keys::kThickness,    keys::kSurfaceVelocity,
                      keys::kSurfaceSpin, keys::kCarriedBy, keys::kRollingRadius};
  }

  template <class Real>
  Touch<Real> gapAndNormal(const Local<Real>& x) const noexcept {
    const Real square = x[0] * x[0] + x[1] * x[1];
    if (!(square > 0.0)) return {Real(-radius), {Real(1.0), Real(0.0), Real(0.0)}};
    const Real r = sqrt(square);
    return {r - radius, {x[0] / r, x[1] / r, Real(0.0)}};
  }

  double surfaceRadius() const noexcept { return radius - body; }
  RoundGuard polynomialGapGuard() const noexcept { return {.radius = radius, .axes = 2, .inside = false}; }
};

}  // namespace ricochet
