#pragma once

#include "engine/contact/areas/fields/patch_shape.hpp"

#include <vector>

namespace ricochet::patch {

/// A symmetric tensor of the plane.
struct Symmetric {
  double xx{}, xy{}, yy{};
};

/// Pressure-weighted means that depend only on the pole q, the point of the area without slip. Vectors from
/// the pole have the direction e = (p - q)/rho and the length rho = |p - q|.
struct PoleMeans {
  Tangential<double> direction{};  ///< mean of e: the friction force is perpendicular to this vector [-]
  double distance{};               ///< mean of the distance rho of the points from the pole [m]
  Symmetric spread{};              ///< mean of e e^T/rho [1/m]; grows as a logarithm for q on the rim
};

/// Means that are computed: direction and distance only, or also the spread.
enum class PoleWork : std::uint8_t { means, meansAndSpread };

/// Means about a pole q for an ellipse with half axes a, b (or a disc) under any pressure. In axes divided by
/// a and b the area is the unit disc; a chord through q in the direction psi has the half length c, and its
/// middle is at t. A pair of opposite rays gives the moments of the pressure along the chord:
///
///     means of (e e^T/rho, e, rho) = integral over half a turn of (T T^T/|T|^3, T/|T|, |T|) c_j dpsi,
///     T = (a cos psi, b sin psi),  kappa = |q|,  c^2 = 1 - kappa^2 sin^2 chi,  t = -kappa cos chi
///     c_0, c_1, c_2 = 2c/pi {1, t, t^2 + c^2/3}    uniform
///                     3c^2/4 {1, t, t^2 + c^2/4}   hertz
///                     1/2 {1, t, t^2 + c^2/2}      punch
///
/// chi is measured from the direction of q. For q outside, sin chi = sin tau/kappa makes the integrand
/// smooth. Adaptive Gauss-Kronrod quadrature to 1e-13 of each mean; the singularity at q is integrated along
/// the chords in closed form.
class EllipticField {
 public:
  explicit EllipticField(const PatchShape& shape);
  PoleMeans meanSlipAboutPole(const Tangential<double>& q, PoleWork work) const noexcept;

 private:
  struct Chord {
    double psi{}, half{}, middle{}, measure{};
  };
  template <std::size_t N>
  std::array<double, N> integrateAlongEllipseChord(const Chord& chord, double atPole) const noexcept;
  template <std::size_t N>
  PoleMeans computeMeanSlipAboutPole(const Tangential<double>& q) const noexcept;

  double size_;  // larger half axis [m]; all other lengths are divided by this size
  double a_, b_;
  Pressure pressure_;
  Tangential<double> gradient_;  // gradient in the axes of the unit disc
};

/// A straight edge of the rim of an area, or an arc of a circle about the origin.
struct Edge {
  Tangential<double> from{}, to{};
  bool isArc{false};
};

/// Means about a pole q for an area with straight edges or arcs under a uniform or linear pressure sigma =
/// sigma_q + g.(p - q). Gauss's theorem gives sums over the rim (h distance of q from the edge, n its outward
/// normal):
///
///     integral of rho = sum of int rho h ds/3
///     integral of sigma rho = sum of int [sigma_q/3 + g.(p - q)/4] rho h ds
///     integral of sigma e = sum of n int sigma rho ds - g integral of rho
///     integral of sigma (1 - e e^T)/rho = sum of int sigma e n^T ds - (integral of e) g^T
///
/// in closed form along straight edges, by adaptive Gauss-Kronrod quadrature to 1e-13 along arcs.
class RimField {
 public:
  explicit RimField(const PatchShape& shape);
  PoleMeans meanSlipAboutPole(const Tangential<double>& q, PoleWork work) const noexcept;

 private:
  double size_;              // square root of the area [m]; all other lengths are divided by this size
  std::vector<Edge> edges_;  // edges of the rim, counter-clockwise
  Tangential<double> centroid_;
  Tangential<double> gradient_;
};

}  // namespace ricochet::patch
