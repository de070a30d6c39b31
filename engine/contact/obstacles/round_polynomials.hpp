#pragma once

#include "engine/contact/obstacles/touch.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Distance of a pressed point from the place where the normal of a round obstacle ends: the centre for a
/// point outside, the axis of the ring for a point inside of a torus [m]; infinite inside of a circle or
/// sphere.
double distanceToSingularNormal(const RoundGuard& guard, const Local<double>& x) noexcept;

/// Guard functions of round obstacles along a motion whose coordinates are polynomials of the time: again
/// polynomials, and exact. With r the distance from the centre of a circle or sphere of radius R,
///
///     +-(r^2 - R^2)/(2 R)
///
/// has the root and the slope of the gap at r = R. With d the distance from the centre line of a torus and D
/// the distance from the point of that line across the axis, of a tube of radius r and a ring of radius R,
///
///     (d^2 - r^2) (D^2 - r^2) = (S + R^2 - r^2)^2 - 4 R^2 p^2,      S = p^2 + z^2
///
/// is a polynomial of the position. The second factor is positive for R > r since D >= R, so that all roots
/// are roots of the gap, including grazing roots and roots on the axis p = 0.
class RoundPolynomials {
 public:
  /// `count`: largest number of coefficients of a coordinate.
  explicit RoundPolynomials(std::size_t count);

  using Place = std::array<std::span<const double>, 3>;
  /// Guard of the gap as a polynomial of the time: positive while the point is free; it has the slope of the
  /// gap if the point touches at the time 0.
  std::span<const double> gap(const RoundGuard& guard, const Place& x) noexcept;
  /// Polynomial of the time that vanishes where a pressed point reaches a place without a unique normal:
  /// about the square of `distanceToSingularNormal`, with the same zeros.
  std::span<const double> guardOfSingularNormal(const RoundGuard& guard, const Place& x) noexcept;

 private:
  std::span<double> squaredDistance(const Place& x, std::size_t axes, std::size_t size) noexcept;
  std::span<double> torusGapGuard(double ringRadius, double radius, const Place& x) noexcept;

  std::vector<double> sum_, across_, away_, aside_;
};

}  // namespace ricochet
