#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/planar.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Two parallel planes at equal distances from a centre; the nearer plane gives the gap.
/// `P`: type of the constants, a double or one value per lane (variant of a batch).
template <class P = double>
struct SlotOf {
  static constexpr std::string_view keyword = "slot";
  static constexpr std::string_view title = "Two parallel planes";
  static constexpr std::string_view formula =
      "gap g = c - |x|      normal = -sign(x) e1\n"
      "\n"
      "x   along `direction`, from the centre [m]\n"
      "c   `gap`, half-distance of the planes";
  static constexpr std::string_view source =
      "geometry: the distance to the nearer plane; OBST type PLAN_Z of Code_Aster, R5.06.03";
  static constexpr PlanarTraits traits{.hasGap = true, .spinsAboutNormal = false, .lanes = true};
  template <class Q>
  using InLanes = SlotOf<Q>;

  P clearance{};

  static constexpr auto numericParameters() {
    return std::array{Field<SlotOf, P>{"gap", &SlotOf::clearance, "m", 0.0, 0.01,
                                       "half-distance of the planes", Need::required}};
  }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kAxis,
                      DeckKey{.name = "direction",
                              .unit = "-",
                              .example = "[1, 0, 0]",
                              .need = Need::required,
                              .meaning = "across the planes"},
                      keys::kCenter,
                      keys::kTangent,
                      keys::kSurfaceVelocity,
                      keys::kCarriedBy,
                      keys::kRollingRadius};
  }

  template <class Real>
  Real gap(const Real& x) const noexcept {
    return clearance + normalSign(x) * x;
  }
  /// Sign of the normal along e1: away from the nearer plane.
  template <class Real>
  Real normalSign(const Real& x) const noexcept {
    return select(x > 0.0, Real(-1.0), Real(1.0));
  }
  /// Interval of x in which the contact is open [m].
  FreeInterval contactFreeInterval() const noexcept { return {-clearance, clearance}; }
};
using Slot = SlotOf<>;

}  // namespace ricochet
