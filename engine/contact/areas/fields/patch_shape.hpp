#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ricochet::patch {

enum class Outline : std::uint8_t { disc, annulus, ring, ellipse, rectangle, polygon, halfDisc };
enum class Pressure : std::uint8_t { uniform, hertz, punch, linear };

/// A contact area and its pressure, in axes of its own. Disc, annulus, ring, ellipse and rectangle are
/// centred at the origin; the half disc is x >= 0 of a disc there.
///
/// With s the distance from the centre over that of the rim, the pressure is proportional to
///     uniform 1,   hertz sqrt(1 - s^2),   punch 1/sqrt(1 - s^2),   linear 1 + g.(p - p0)
/// p0 the centroid of the area. hertz and punch need a disc or an ellipse, linear any but annulus and ring.
struct PatchShape {
  Outline outline{Outline::disc};
  Pressure pressure{Pressure::uniform};
  double radius{1.0};                          ///< of disc, annulus, ring, half disc [m]
  double innerRadius{0.0};                     ///< of the annulus [m]
  std::array<double, 2> halfSides{1.0, 1.0};   ///< of ellipse and rectangle [m]
  std::vector<Tangential<double>> vertices{};  ///< of the polygon, in order, either way round [m]
  Tangential<double> gradient{};               ///< g of a linear pressure [1/m]
};

/// What is wrong with a shape, for the reader; empty: nothing. Everything else here wants a sound shape.
std::string problem(const PatchShape& shape);

/// Area [m^2], of a polygon with the sign of its sense, and centroid [m].
struct AreaCentroid {
  double area{};
  Tangential<double> centroid{};
};
AreaCentroid polygonArea(const std::vector<Tangential<double>>& vertices);

/// A point that carries a share of the normal force.
struct Particle {
  Tangential<double> position{};  ///< [m]
  double weight{};                ///< share of N; all add to 1
};

/// The area as particles, axes of the shape: Gauss's rules over r^2 (or what makes the pressure flat) and
/// equispaced angles, or over triangles. Every weight is positive and polynomials of the position up to
/// degree 2 n - 3 are integrated exactly, n = `order` (half disc: to rounding from order 12 on).
std::vector<Particle> particles(const PatchShape& shape, std::size_t order);

/// The same of rings by angles, as bristles want them; for a polygon `rings` is the order in each triangle.
std::vector<Particle> bristles(const PatchShape& shape, std::size_t rings, std::size_t angles);

}  // namespace ricochet::patch
