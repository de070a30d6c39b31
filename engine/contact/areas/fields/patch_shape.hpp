#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ricochet::patch {

enum class Outline : std::uint8_t { disc, annulus, ring, ellipse, rectangle, polygon, halfDisc };
enum class Pressure : std::uint8_t { uniform, hertz, punch, linear };

/// A contact area and its pressure, in its own axes. Disc, annulus, ring, ellipse and rectangle are centred
/// at the origin; the half disc is the part x >= 0 of a disc at the origin.
///
/// With s the distance from the centre over that of the rim, the pressure is proportional to
///     uniform 1,   hertz sqrt(1 - s^2),   punch 1/sqrt(1 - s^2),   linear 1 + g.(p - p0)
/// p0 the centroid of the area. hertz and punch need a disc or an ellipse, linear any but annulus and ring.
struct PatchShape {
  Outline outline{Outline::disc};
  Pressure pressure{Pressure::uniform};
  double radius{1.0};                          ///< radius of disc, annulus, ring, half disc [m]
  double innerRadius{0.0};                     ///< inner radius of the annulus [m]
  std::array<double, 2> halfSides{1.0, 1.0};   ///< half sides of ellipse and rectangle [m]
  std::vector<Tangential<double>> vertices{};  ///< vertices of the polygon, in order, any orientation [m]
  Tangential<double> gradient{};               ///< gradient g of a linear pressure [1/m]
};

/// Text for the user that describes an error of the shape; empty if the shape is valid. The other functions
/// of this folder need a valid shape.
std::string errorTextOfPatchShape(const PatchShape& shape);

/// Area of a polygon [m^2], positive if counter-clockwise, and its centroid [m].
struct AreaCentroid {
  double area{};
  Tangential<double> centroid{};
};
AreaCentroid polygonArea(const std::vector<Tangential<double>>& vertices);

/// A point of the area that carries a fraction of the normal force.
struct Particle {
  Tangential<double> position{};  ///< position in the axes of the shape [m]
  double weight{};                ///< fraction of N; the weights of all points add to 1
};

/// Points and weights of the area in the axes of the shape: Gauss rules over r^2 (or over the variable that
/// makes the pressure constant) and equispaced angles, or over triangles. All weights are positive;
/// polynomials of the position up to degree 2 n - 3 are integrated exactly, n = `order` (half disc: to
/// rounding from order 12 on).
std::vector<Particle> integrationPoints(const PatchShape& shape, std::size_t order);

/// Points and weights on `rings` by `angles`, for bristle models; for a polygon, `rings` is the order of the
/// rule in each triangle.
std::vector<Particle> bristlePointsOfShape(const PatchShape& shape, std::size_t rings, std::size_t angles);

}  // namespace ricochet::patch
