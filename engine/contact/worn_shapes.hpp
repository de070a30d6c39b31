#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string_view>
#include <variant>
#include <vector>

namespace ricochet {

// Worn volume of a body (in general a cylinder of radius R) as a function of the depth of the cut. Depths
// need not be small; the largest one is `largestDepth()`.

/// Formulas of all shapes, for the manual.
inline constexpr std::string_view kWornShapesFormula =
    "Depth d of the cut in a cylinder of radius R, which is where it stays when it has reached R (or R2):\n"
    "  flat     by a bar across, of width L: V = L A(d), A = R^2 (f - sin f cos f), cos f = 1 - d/R\n"
    "  ring     all around, over L: V = pi L (R^2 - (R - d)^2)\n"
    "  bore     by a hole of radius R0, in n places: V = n L A(d), A what lies outside of a circle R0 when\n"
    "           a circle R has gone beyond it by d; small depths: A = 4/3 sqrt(2 R R0/(R0 - R)) d^(3/2)\n"
    "  crossed  by a cylinder R2 across at an angle c: V what both share; small depths:\n"
    "           V = pi sqrt(R R2) d^2/sin c\n"
    "  table    of any other shape: V straight between given depths; no deeper than the last\n"
    "What leans by an angle a along the cylinder cuts less deep by tan a per length:\n"
    "V = n (F(d) - F(d - L tan a))/tan a, F the integral of A.\n"
    "If both bodies wear, the cut of the sum of their volumes is shared as these are (not that of a ring\n"
    "or a table).";

/// Cut by a flat bar of width L across the cylinder; the bar may be inclined along the cylinder.
struct WornFlat {
  static constexpr std::string_view keyword = "flat";
  static constexpr bool kShared = true;       ///< both bodies may wear in the cut
  static constexpr bool kHasSectors = false;  ///< the depth may differ between sectors about the axis

  double radius{0.0};       ///< R [m]
  double length{0.0};       ///< L [m]
  double inclination{0.0};  ///< a [rad], in [0, pi/2)

  double largestDepth() const noexcept { return radius; }
  double volume(double depth) const noexcept;
};

/// Cut around the whole circumference over a length L.
struct WornRing {
  static constexpr std::string_view keyword = "ring";
  static constexpr bool kShared = false;
  static constexpr bool kHasSectors = true;

  double radius{0.0};  ///< R [m]
  double length{0.0};  ///< L [m]

  double largestDepth() const noexcept { return radius; }
  double volume(double depth) const noexcept {
    return std::numbers::pi * length * depth * (2.0 * radius - depth);
  }
};

/// Cut by the wall of a hole, in one or several equal places.
struct WornBore {
  static constexpr std::string_view keyword = "bore";
  static constexpr bool kShared = true;
  static constexpr bool kHasSectors = false;

  double radius{0.0};       ///< R [m]
  double bore{0.0};         ///< R0 > R [m]
  double length{0.0};       ///< L [m]
  double places{1.0};       ///< number n of equal cuts
  double inclination{0.0};  ///< a [rad], in [0, pi/2)

  double largestDepth() const noexcept { return radius; }
  double volume(double depth) const noexcept;
};

/// Cut by a cylinder whose axis crosses at an angle.
struct WornCrossed {
  static constexpr std::string_view keyword = "crossed";
  static constexpr bool kShared = true;
  static constexpr bool kHasSectors = false;

  double radius{0.0};  ///< R [m]
  double other{0.0};   ///< R2 [m]
  double angle{0.0};   ///< c [rad], in (0, pi/2]

  double largestDepth() const noexcept { return std::min(radius, other); }
  double volume(double depth) const noexcept;
};

/// Cut of any shape, given by a table of volumes over depths.
struct WornTable {
  static constexpr std::string_view keyword = "table";
  static constexpr bool kShared = false;
  static constexpr bool kHasSectors = false;

  std::vector<double> depths{0.0, 1.0};   ///< from 0, increasing [m]
  std::vector<double> volumes{0.0, 1.0};  ///< volume at each depth, from 0, increasing [m^3]

  double largestDepth() const noexcept { return depths.back(); }
  double volume(double depth) const noexcept;
};

using AnyWornShape = std::variant<WornFlat, WornRing, WornBore, WornCrossed, WornTable>;

/// Worn volume at a depth in [0, deepest] [m^3].
inline double wornVolume(const AnyWornShape& shape, double depth) noexcept {
  return std::visit([depth](const auto& each) { return each.volume(depth); }, shape);
}

/// Depth of the cut for a worn volume; at most the deepest one [m].
double wornDepth(const AnyWornShape& shape, double volume) noexcept;

/// True if the depth may differ between sectors about the axis.
inline bool doesWearDepthVaryBetweenSectors(const AnyWornShape& shape) noexcept {
  return std::visit([]<class S>(const S&) { return S::kHasSectors; }, shape);
}

/// True if both bodies may wear in the cut.
inline bool canBothBodiesWear(const AnyWornShape& shape) noexcept {
  return std::visit([]<class S>(const S&) { return S::kShared; }, shape);
}

}  // namespace ricochet
