#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/planar.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Contact without geometry: always closed, with an imposed normal force.
struct NoObstacle {
  static constexpr std::string_view keyword = "none";
  static constexpr std::string_view title = "No geometry: an imposed normal force";
  static constexpr std::string_view formula =
      "no gap; the contact is closed while its imposed force is positive\n"
      "\n"
      "The first local coordinate is the displacement along the normal; it opens nothing.";
  static constexpr std::string_view source = "definition";
  static constexpr PlanarTraits traits{.hasGap = false, .spinsAboutNormal = false, .lanes = true};
  template <class>
  using InLanes = NoObstacle;
  static constexpr auto numericParameters() { return std::array<Field<NoObstacle>, 0>{}; }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kNormal,          keys::kTangent,   keys::kTangentAxis,
                      keys::kSurfaceVelocity, keys::kCarriedBy, keys::kRollingRadius};
  }

  template <class Real>
  Real gap(const Real& x) const noexcept {
    return x;
  }
  template <class Real>
  Real normalSign(const Real&) const noexcept {
    return Real(1.0);
  }
  /// Interval of x in which the contact is open: empty.
  FreeInterval contactFreeInterval() const noexcept { return {}; }
};

}  // namespace ricochet
