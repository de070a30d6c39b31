#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/touch.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Outside or inside of a sphere; also two spheres side by side, one on each node of a pair. At the centre
/// the normal is e1 (outside) or -e1 (inside).
struct Sphere {
  static constexpr std::string_view keyword = "sphere";
  static constexpr std::string_view title = "Outside or inside of a sphere";
  static constexpr std::string_view formula =
      "outside: g = r - R, normal = x/r        inside: g = R - r, normal = -x/r        r = |x|\n"
      "\n"
      "x   place from the centre [m]\n"
      "R   radius; outside it counts with that of the matter on the nodes [m]";
  static constexpr std::string_view source = "geometry: the distance to a sphere";
  static constexpr CurvedTraits traits{
      .inPlane = false, .byFields = false, .isHole = false, .onlyBySteps = ""};

  double radius{0.0};
  bool inside{false};

  static constexpr auto numericParameters() {
    return std::array{Field<Sphere>{"radius", &Sphere::radius, "m", 0.0, 0.01,
                                    "radius; of a pair outside each other `thickness`", Need::positive}};
  }
  static constexpr auto choiceParameters() {
    return std::array{Choice<Sphere>{obstacle_keys::kSide, &Sphere::inside}};
  }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kCenter, keys::kSide, keys::kTangent, keys::kThickness, keys::kCarriedBy};
  }

  template <class Real>
  Touch<Real> gapAndNormal(const Local<Real>& x) const noexcept {
    const double sign = inside ? -1.0 : 1.0;
    const Real square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (!(square > 0.0)) return {Real(-sign * radius), {Real(sign), Real(0.0), Real(0.0)}};
    const Real r = sqrt(square);
    return {sign * (r - radius), {sign * x[0] / r, sign * x[1] / r, sign * x[2] / r}};
  }

  double surfaceRadius() const noexcept { return 0.0; }
  RoundGuard polynomialGapGuard() const noexcept { return {.radius = radius, .axes = 3, .inside = inside}; }
};

}  // namespace ricochet
