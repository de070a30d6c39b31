#pragma once

#include "engine/contact/areas/fields/exact.hpp"
#include "engine/contact/areas/fields/patch_shape.hpp"
#include "engine/contact/areas/fields/twist.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace ricochet::patch {

/// Coulomb's law at n points that carry fractions of the normal force, for any shape: sums instead of the
/// integrals of ExactPatch. Largest errors of X and M/R for the disc, by rings x angles: 2 x 8 .069 .054, 4 x
/// 16 .022 .017, 8 x 32 .006 .004.
class BristlePatch {
 public:
  static constexpr bool kPotential = true;

  /// Takes points relative to the centre of pressure: see bristlePointsAboutPressureCentre.
  explicit BristlePatch(std::vector<Particle> points) : points_(std::move(points)) {}

  std::span<const Particle> points() const noexcept { return points_; }

  template <class Real>
  Wrench<Real> wrench(const Twist<Real>& q) const noexcept {
    Wrench<Real> sum{};
    for (const auto& [p, weight] : points_) {
      const Tangential<Real> v{q.sliding.first - p.second * q.spin, q.sliding.second + p.first * q.spin};
      const Real square = dot(v, v);
      if (!(square > 0.0)) continue;
      const Tangential<Real> f = scaled(-weight / sqrt(square), v);
      sum.force = sum.force + f;
      sum.moment = sum.moment + (p.first * f.second - p.second * f.first);
    }
    return sum;
  }
  WrenchTangent tangentMatrix(const Twist<double>& q) const noexcept {
    return tangentMatrixByDualNumbers(*this, q);
  }

 private:
  std::vector<Particle> points_;
};

/// Points of a shape, relative to its centre of pressure.
inline std::vector<Particle> bristlePointsAboutPressureCentre(const PatchShape& shape, std::size_t rings,
                                                              std::size_t angles) {
  std::vector<Particle> all = bristlePointsOfShape(shape, rings, angles);
  Tangential<double> centre{};
  for (const Particle& p : all) centre = centre + scaled(p.weight, p.position);
  for (Particle& p : all) p.position = p.position - centre;
  return all;
}

/// Sum of the forces of all points as a wrench [N], [N m], and the energy dissipated by their slip [J].
struct BristleTrial {
  Wrench<double> wrench{};
  double dissipated{};
  std::size_t slipping{};  ///< number of points that slip
};

/// Trial of the points of a patch (law A): every point is Coulomb friction with an elastic stick of stiffness
/// k_t times its weight w, in the plane:
///
///     f* = f - k_t w (du + dphi z x p),   f+ = f* min(1, mu N w/|f*|)
///
/// `accepted` are the forces at the last accepted step, `next` (of equal length) those of the trial. The
/// points do not rotate in the axes of `increment` (du [m], dphi [rad]). The law has no creep: below its
/// limit a point is a spring.
inline BristleTrial frictionTrialOfBristles(std::span<const Particle> points, double stiffness, double limit,
                                            const Twist<double>& increment,
                                            std::span<const Tangential<double>> accepted,
                                            std::span<Tangential<double>> next) noexcept {
  BristleTrial sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [p, weight] = points[i];
    const Tangential<double> du{increment.sliding.first - p.second * increment.spin,
                                increment.sliding.second + p.first * increment.spin};
    const double k = stiffness * weight, most = limit * weight;
    Tangential<double> f = accepted[i] - scaled(k, du);
    const double square = dot(f, f);
    if (square > most * most) {
      const double size = std::sqrt(square);
      sum.dissipated += most * (size - most) / k;
      ++sum.slipping;
      f = scaled(most / size, f);
    }
    next[i] = f;
    sum.wrench.force = sum.wrench.force + f;
    sum.wrench.moment += p.first * f.second - p.second * f.first;
  }
  return sum;
}

}  // namespace ricochet::patch
