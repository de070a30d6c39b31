// Guard functions of round obstacles along a motion, compared with the distances to the obstacles.

#include "engine/contact/obstacles/round_polynomials.hpp"

#include "engine/contact/obstacles/sphere.hpp"
#include "engine/contact/obstacles/torus.hpp"
#include "engine/numerics/certified_root.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace ricochet {
namespace {

using Motion = std::array<std::vector<double>, 3>;

Local<double> positionAt(const Motion& motion, double t) {
  return {polynomialAt(motion[0], t), polynomialAt(motion[1], t), polynomialAt(motion[2], t)};
}

RoundPolynomials::Place coefficientsOf(const Motion& motion) { return {motion[0], motion[1], motion[2]}; }

TEST(RoundPolynomials, IsTheDistanceToATorusTimesThatAcrossItsAxis) {
  const double ring = 0.5, tube = 0.2;
  const Motion motion{std::vector{0.3, -0.4, 0.1, 0.2}, std::vector{0.2, 0.5, -0.3, 0.1},
                      std::vector{0.1, 0.2, 0.3, -0.4}};
  for (const bool inside : {false, true}) {
    const Torus torus{.ringRadius = ring, .radius = tube, .inside = inside};
    RoundPolynomials polynomials(4);
    const double p0 = std::hypot(0.3, 0.2);
    for (const double t : {-0.7, 0.0, 0.4, 1.3}) {
      const Local<double> x = positionAt(motion, t);
      const double p = std::hypot(x[0], x[1]);
      const double near = std::hypot(p - ring, x[2]), far = std::hypot(p + ring, x[2]);
      const double expected = (inside ? -1.0 : 1.0) * (near * near - tube * tube) *
                              (far * far - tube * tube) / (8.0 * ring * tube * p0);
      EXPECT_NEAR(polynomialAt(polynomials.gap(torus.polynomialGapGuard(), coefficientsOf(motion)), t),
                  expected, 1e-14 * (1.0 + std::abs(expected)));
      EXPECT_EQ(expected > 0.0, torus.gapAndNormal(x).gap > 0.0);
    }
  }
}

/// At a point of the surface the guard and the gap have the same derivative.
TEST(RoundPolynomials, HasTheSlopeOfTheGapWhereThePointTouches) {
  const Local<double> v{0.7, -0.3, 0.4};
  for (const bool inside : {false, true}) {
    const Torus torus{.ringRadius = 0.5, .radius = 0.2, .inside = inside};
    const Sphere sphere{.radius = 0.2, .inside = inside};
    for (const double angle : {0.3, 2.0, 4.0}) {
      const double away = 0.5 + 0.2 * std::cos(angle), c = std::cos(0.8), s = std::sin(0.8);
      const Local<double> x{away * c, away * s, 0.2 * std::sin(angle)};
      const Motion motion{std::vector{x[0], v[0]}, std::vector{x[1], v[1]}, std::vector{x[2], v[2]}};
      RoundPolynomials polynomials(2);
      const std::span<const double> gap = polynomials.gap(torus.polynomialGapGuard(), coefficientsOf(motion));
      EXPECT_NEAR(gap[0], 0.0, 1e-15);
      EXPECT_NEAR(gap[1], innerProduct(torus.gapAndNormal(x).normal, v), 1e-14);
      const Motion beside{std::vector{x[0] - 0.5 * c, v[0]}, std::vector{x[1] - 0.5 * s, v[1]}, motion[2]};
      const std::span<const double> round =
          polynomials.gap(sphere.polynomialGapGuard(), coefficientsOf(beside));
      EXPECT_NEAR(round[1], innerProduct(sphere.gapAndNormal(positionAt(beside, 0.0)).normal, v), 1e-14);
    }
  }
}

TEST(RoundPolynomials, VanishesWhereAPressedPointHasNoNormal) {
  RoundPolynomials polynomials(2);
  const auto at = [&](const RoundGuard& guard, const Motion& motion, double t) {
    EXPECT_GT(distanceToSingularNormal(guard, positionAt(motion, 0.0)), 0.0);
    EXPECT_NEAR(distanceToSingularNormal(guard, positionAt(motion, t)), 0.0, 1e-16);
    EXPECT_GT(polynomials.guardOfSingularNormal(guard, coefficientsOf(motion))[0], 0.0);
    return polynomialAt(polynomials.guardOfSingularNormal(guard, coefficientsOf(motion)), t);
  };
  const std::vector<double> rest{0.0, 0.0}, falls{0.5, -1.0};
  EXPECT_NEAR(at({.radius = 1.0, .axes = 3}, {falls, rest, rest}, 0.5), 0.0, 1e-16);
  EXPECT_NEAR(at({.radius = 1.0, .axes = 2}, {rest, falls, std::vector{9.0, 1.0}}, 0.5), 0.0, 1e-16);
  const RoundGuard conduit{.radius = 0.2, .axes = 3, .inside = true, .ringRadius = 0.4};
  EXPECT_NEAR(at(conduit, {falls, rest, std::vector{0.3, 0.0}}, 0.5), 0.0, 1e-16);
  const RoundGuard ring{.radius = 0.2, .axes = 3, .inside = false, .ringRadius = 0.4};
  EXPECT_NEAR(at(ring, {std::vector{0.4, 0.0}, rest, falls}, 0.5), 0.0, 1e-16);
  EXPECT_NEAR(at(ring, {rest, falls, rest}, 0.1), 0.0, 1e-16);
  EXPECT_TRUE(
      std::isinf(distanceToSingularNormal({.radius = 1.0, .axes = 3, .inside = true}, {0.1, 0.0, 0.0})));
}

}  // namespace
}  // namespace ricochet
