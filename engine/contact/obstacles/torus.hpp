#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/touch.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// A tube bent to a ring about the axis e3; the node is inside the tube (a conduit) or outside (an obstacle
/// ring). On the axis the normal lies in the plane of e1 and e3; on the centre line it points away from the
/// axis. The gap has a kink in both places: a node that is pressed to the axis from inside of the tube, or to
/// the centre line from outside, ends a run of the event scheme.
struct Torus {
  static constexpr std::string_view keyword = "torus";
  static constexpr std::string_view title = "Inside or outside of a tube bent to a ring";
  static constexpr std::string_view formula =
      "outside: g = d - r        inside: g = r - d        d = sqrt((p - R)^2 + z^2)\n"
      "\n"
      "p   distance from the axis of the ring [m]\n"
      "z   distance from its plane [m]\n"
      "R   radius of the ring: of the centre line of the tube [m]\n"
      "r   radius of the tube [m]";
  static constexpr std::string_view source = "geometry: the distance to a torus";
  static constexpr CurvedTraits traits{
      .inPlane = false, .byFields = true, .isHole = false, .onlyBySteps = ""};

  double ringRadius{0.0};
  double radius{0.0};
  bool inside{false};

  static constexpr auto numericParameters() {
    using F = Field<Torus>;
    return std::array{
        F{"ring_radius", &Torus::ringRadius, "m", 0.0, 0.014, "radius R of the ring", Need::positive},
        F{"radius", &Torus::radius, "m", 0.0, 0.006, "radius r of the tube", Need::positive}};
  }
  static constexpr auto choiceParameters() {
    return std::array{Choice<Torus>{obstacle_keys::kSide, &Torus::inside}};
  }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kAxis, keys::kCenter, keys::kSide, keys::kCarriedBy};
  }

  template <class Real>
  Touch<Real> gapAndNormal(const Local<Real>& x) const noexcept {
    const double sign = inside ? -1.0 : 1.0;
    const Real square = x[0] * x[0] + x[1] * x[1];
    Real p(0.0);
    Local<Real> away{Real(1.0), Real(0.0), Real(0.0)};  // unit vector away from the axis
    if (square > 0.0) {
      p = sqrt(square);
      away = {x[0] / p, x[1] / p, Real(0.0)};
    }
    const Real across = p - ringRadius;
    const Real distance = across * across + x[2] * x[2];
    if (!(distance > 0.0)) return {Real(-sign * radius), {sign * away[0], sign * away[1], Real(0.0)}};
    const Real d = sqrt(distance);
    const Real share = across / d;
    return {sign * (d - radius), {sign * share * away[0], sign * share * away[1], sign * x[2] / d}};
  }

  double surfaceRadius() const noexcept { return 0.0; }
  RoundGuard polynomialGapGuard() const noexcept {
    return {.radius = radius, .axes = 3, .inside = inside, .ringRadius = ringRadius};
  }
};

}  // namespace ricochet
