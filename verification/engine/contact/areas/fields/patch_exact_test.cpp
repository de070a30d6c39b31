// Exact resultants, moments and coefficients of contact areas against tables computed with 20 to 30 digits.

#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/fields/exact.hpp"
#include "engine/contact/areas/fields/pade.hpp"
#include "engine/contact/areas/fields/potential.hpp"
#include "verification/support/patches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace ricochet::patch {
namespace {

using test::frictionResistancesOfPatch;
using test::patchShapeNamed;
using test::readTable;
using test::Resistances;
using test::TableRow;

const ExactPatch& exactPatch(const std::string& name) {
  static std::map<std::string, ExactPatch> all;
  const auto found = all.find(name);
  return found != all.end() ? found->second
                            : all.emplace(name, ExactPatch(patchShapeNamed(name))).first->second;
}

TEST(ExactPatch, ThirteenPatchesInAllDirections) {
  // The tables have 16 digits; the closed forms and the quadratures are accurate to 1e-13 (required: 1e-10).
  int rows = 0;
  for (const TableRow& row : readTable("patch_tables.csv", 2)) {
    const double u = row.numbers[0];
    const Resistances r =
        frictionResistancesOfPatch(exactPatch(row.words[0]), test::radians(row.words[1]), u);
    EXPECT_NEAR(r.X, row.numbers[1], 1e-13) << row.words[0] << " " << row.words[1] << " u = " << u;
    EXPECT_NEAR(r.Y, row.numbers[2], 1e-13) << row.words[0] << " " << row.words[1] << " u = " << u;
    EXPECT_NEAR(r.M, row.numbers[3], 1e-13) << row.words[0] << " " << row.words[1] << " u = " << u;
    ++rows;
  }
  EXPECT_EQ(rows, 53 * 31);
}

TEST(ExactPatch, MomentsInAllDirections) {
  int rows = 0;
  for (const TableRow& row : readTable("patch_moments.csv", 2)) {
    const PatchMoments m =
        exactPatch(row.words[0]).moments().momentsInRotatedAxes(test::radians(row.words[1]));
    const double T = 2.0 * m.xyy - m.xxx;
    const std::array<double, 14> computed{m.M0,      m.J.xx,     m.J.xy, m.J.yy, m.K.xx, m.K.xy, m.K.yy,
                                          m.S.first, m.S.second, m.xxy,  T,      m.xxx,  m.xyy,  m.yyy};
    for (std::size_t i = 0; i < computed.size(); ++i)
      EXPECT_NEAR(computed[i], row.numbers[i], 1e-12)
          << row.words[0] << " " << row.words[1] << " column " << i;
    ++rows;
  }
  EXPECT_EQ(rows, 53);
}

/// Largest error of a law relative to the exact area over the 121 values u of the tables.
template <class L>
Resistances largestError(const L& law, const ExactPatch& exact, double angle) {
  Resistances most;
  for (int i = 0; i <= 120; ++i) {
    const double u = std::pow(10.0, -3.0 + i / 20.0);
    const Resistances a = frictionResistancesOfPatch(law, angle, u),
                      b = frictionResistancesOfPatch(exact, angle, u);
    most.X = std::max(most.X, std::abs(a.X - b.X));
    most.Y = std::max(most.Y, std::abs(a.Y - b.Y));
    most.M = std::max(most.M, std::abs(a.M - b.M));
  }
  return most;
}

TEST(PatchModels, CoefficientsAndErrorsAreThoseOfTheStudy) {
  for (const TableRow& row : readTable("patch_errors.csv", 2)) {
    const std::string where = row.words[0] + " " + row.words[1];
    const std::vector<double>& n = row.numbers;
    const ExactPatch& exact = exactPatch(row.words[0]);
    const double angle = test::radians(row.words[1]);
    const PatchMoments along = exact.moments().momentsInRotatedAxes(angle);
    const PadeCoefficients c = padeCoefficientsOfPatch(along);
    EXPECT_NEAR(c.a1, n[0], 1e-12) << where;
    EXPECT_NEAR(c.a2, n[1], 1e-12) << where;
    EXPECT_NEAR(c.m1, n[2], 1e-12) << where;
    EXPECT_NEAR(c.m2, n[3], 1e-12) << where;
    // b2, b3 are quotients of small moments, each to 1e-12
    const LateralCoefficients b = lateralForceCoefficients(along);
    EXPECT_NEAR(b.b1, n[4], 1e-12) << where;
    for (const auto [computed, reference] : {std::array{b.b2, n[5]}, std::array{b.b3, n[6]}}) {
      if (!std::isfinite(reference)) continue;
      EXPECT_NEAR(computed, reference, 1e-10 * std::max(1.0, std::abs(reference))) << where;
    }

    // The errors of the study were computed in the same double precision.
    const Resistances quadratic = largestError(Pade(exact.moments()), exact, angle);
    EXPECT_NEAR(quadratic.X, n[7], 1e-9) << where;
    EXPECT_NEAR(quadratic.M, n[8], 1e-9) << where;
    const Resistances linear = largestError(LinearFractional(exact.moments()), exact, angle);
    EXPECT_NEAR(linear.X, n[9], 1e-9) << where;
    EXPECT_NEAR(linear.M, n[10], 1e-9) << where;
    const Resistances sextic = largestError(Potential(exact.moments()), exact, angle);
    EXPECT_NEAR(sextic.X, n[11], 1e-9) << where;
    EXPECT_NEAR(sextic.Y, n[12], 1e-9) << where;
    EXPECT_NEAR(sextic.M, n[13], 1e-9) << where;
  }
}

TEST(BristlePatch, ErrsNoMoreThanTheStudysRule) {
  // Errors of patch_errors.json with the same number of points, at Gauss radii over r; points over r^2 have
  // smaller errors. The largest error of X and of M/R over directions and ratios occurs where the pole is
  // near a point.
  struct Mesh {
    std::size_t rings, angles;
    double X, M;
  };
  const ExactPatch& exact = exactPatch("disc_uniform");
  for (const Mesh& mesh :
       {Mesh{2, 8, 0.1040560502, 0.0753548784}, Mesh{4, 16, 0.0277653034, 0.0166362611},
        Mesh{8, 16, 0.0130355437, 0.0103770367}, Mesh{8, 32, 0.0065388133, 0.0050395864}}) {
    const BristlePatch law(
        bristlePointsAboutPressureCentre(patchShapeNamed("disc_uniform"), mesh.rings, mesh.angles));
    double X = 0.0, M = 0.0;
    for (int turn = 0; turn <= 8; ++turn)
      for (int i = 0; i <= 1200; ++i) {
        const double angle = std::numbers::pi * turn / (8.0 * static_cast<double>(mesh.angles));
        const double u = std::pow(10.0, -3.0 + i / 200.0);
        const Resistances a = frictionResistancesOfPatch(law, angle, u),
                          b = frictionResistancesOfPatch(exact, angle, u);
        X = std::max(X, std::abs(a.X - b.X));
        M = std::max(M, std::abs(a.M - b.M));
      }
    EXPECT_LT(X, mesh.X) << mesh.rings << " x " << mesh.angles;
    EXPECT_LT(M, mesh.M) << mesh.rings << " x " << mesh.angles;
  }
}

TEST(ExactPatch, ValuesWhereTheRimStands) {
  // Closed forms for V = omega R, see friction.md section 5.
  constexpr double pi = std::numbers::pi;
  // K is 22 at the upper limit m = 1 - 1e-18, which amplifies rounding by this factor.
  const auto check = [](const std::string& name, double X, double M) {
    const Resistances r = frictionResistancesOfPatch(exactPatch(name), 0.7, 1.0);
    EXPECT_NEAR(r.X, X, 1e-14) << name;
    EXPECT_NEAR(r.M, M, 1e-14) << name;
  };
  check("disc_uniform", 8.0 / (3.0 * pi), 8.0 / (9.0 * pi));
  check("ring", 2.0 / pi, 2.0 / pi);
  check("disc_hertz", 9.0 * pi / 32.0, 9.0 * pi / 128.0);
  check("disc_punch", pi / 4.0, pi / 8.0);
}

TEST(ExactPatch, SizesScale) {
  // With lengths in mm or km, forces stay the same and moments scale as lengths.
  for (const char* name : {"annulus_0.5", "ellipse_1_0.5", "hertz_ellipse_1_0.5", "rect_2x1", "half_disc",
                           "triangle_right_2x1", "disc_linear_0.8"}) {
    for (const double size : {1e-3, 1e3}) {
      PatchShape shape = patchShapeNamed(name);
      shape.radius *= size;
      shape.innerRadius *= size;
      for (double& side : shape.halfSides) side *= size;
      for (auto& v : shape.vertices) v = scaled(size, v);
      shape.gradient = scaled(1.0 / size, shape.gradient);
      ASSERT_EQ(errorTextOfPatchShape(shape), "") << name;
      const ExactPatch scaledPatch(shape);
      for (const double u : {1e-6, 0.3, 1.7, 40.0}) {
        const Resistances r = frictionResistancesOfPatch(scaledPatch, 0.4, u / size);
        const Resistances one = frictionResistancesOfPatch(exactPatch(name), 0.4, u);
        EXPECT_NEAR(r.X, one.X, 1e-13) << name;
        EXPECT_NEAR(r.Y, one.Y, 1e-13) << name;
        EXPECT_NEAR(r.M / size, one.M, 1e-13) << name;
      }
    }
  }
}

TEST(ExactPatch, IsContinuousWhereThePoleCrossesTheRim) {
  for (const char* name :
       {"ellipse_1_0.5", "hertz_ellipse_1_0.5", "rect_2x1", "half_disc", "disc_linear_0.8"}) {
    const ExactPatch& exact = exactPatch(name);
    const auto at = [&](double beyond) {
      // The pole lies at the point (1, 0) of the rim, relative to the centre of pressure, and beyond this
      // point.
      const double x = 1.0 - exact.centre().first + beyond;
      const Twist<double> q{{0.0, -x}, 1.0};
      for (const auto& row : exact.tangentMatrix(q))
        for (const double slope : row) EXPECT_TRUE(std::isfinite(slope)) << name << " " << beyond;
      return wrenchComponents(exact.wrench(q));
    };
    const std::array<double, 3> rim = at(0.0);
    for (const double beyond : {1e-15, 1e-12, 1e-9, 1e-6})
      for (const double side : {-1.0, 1.0}) {
        const std::array<double, 3> near = at(side * beyond);
        // The slopes are of order 1.
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_NEAR(near[i], rim[i], 1e-13 + 2.0 * beyond) << name << beyond;
      }
  }
}

TEST(ExactPatch, AgreesWithFineParticles) {
  // Shapes without a table: a linear pressure on a rectangle and on an L-shape, an ellipse under a punch.
  PatchShape rectangle = patchShapeNamed("rect_2x1");
  rectangle.pressure = Pressure::linear;
  rectangle.gradient = {0.3, -0.8};
  PatchShape corner;
  corner.outline = Outline::polygon;
  corner.vertices = {{0.0, 0.0}, {0.0, 2.0}, {0.5, 2.0}, {0.5, 0.5}, {1.0, 0.5}, {1.0, 0.0}};  // clockwise
  corner.pressure = Pressure::linear;
  corner.gradient = {0.2, 0.3};
  PatchShape ellipse = patchShapeNamed("ellipse_1_0.5");
  ellipse.pressure = Pressure::punch;
  PatchShape half = patchShapeNamed("half_disc");
  half.pressure = Pressure::linear;
  half.gradient = {-0.5, 0.4};
  for (const PatchShape& shape : {rectangle, corner, ellipse, half}) {
    ASSERT_EQ(errorTextOfPatchShape(shape), "");
    const ExactPatch exact(shape);
    std::vector<Particle> fine = integrationPoints(shape, 250);
    for (Particle& p : fine) p.position = p.position - exact.centre();
    for (const double u : {0.2, 0.8, 2.0, 30.0}) {
      const Tangential<double> e{std::cos(0.5), std::sin(0.5)};
      double x = 0.0, y = 0.0, m = 0.0;
      for (const auto& [p, weight] : fine) {
        const double vx = e.first - u * p.second, vy = e.second + u * p.first, v = std::hypot(vx, vy);
        x -= weight * vx / v;
        y -= weight * vy / v;
        m -= weight * (p.first * vy - p.second * vx) / v;
      }
      // The unit vector jumps at the pole: a rule with the spacing 1/250 has an error of the share of a cell
      // there.
      const Wrench<double> w = exact.wrench(Twist<double>{e, u});
      EXPECT_NEAR(w.force.first, x, 2e-5) << u;
      EXPECT_NEAR(w.force.second, y, 2e-5) << u;
      EXPECT_NEAR(w.moment, m, 2e-5) << u;
    }
  }
}

TEST(PatchShape, RefusesWhatIsNoPatch) {
  PatchShape shape;
  EXPECT_EQ(errorTextOfPatchShape(shape), "");
  shape.radius = 0.0;
  EXPECT_NE(errorTextOfPatchShape(shape), "");
  shape = patchShapeNamed("annulus_0.5");
  shape.innerRadius = 1.0;
  EXPECT_NE(errorTextOfPatchShape(shape), "");
  shape = patchShapeNamed("disc_linear_0.8");
  shape.gradient = {0.8, 0.7};  // 1 - |g| R < 0 on one side
  EXPECT_NE(errorTextOfPatchShape(shape), "");
  shape = patchShapeNamed("rect_2x1");
  shape.pressure = Pressure::hertz;
  EXPECT_NE(errorTextOfPatchShape(shape), "");
  shape = patchShapeNamed("triangle_eq");
  // An outline in the shape of an hourglass.
  shape.vertices = {{0.0, 0.0}, {1.0, 1.0}, {1.0, 0.0}, {0.0, 1.0}};
  EXPECT_NE(errorTextOfPatchShape(shape), "");
  shape.vertices = {{0.0, 0.0}, {1.0, 1.0}, {2.0, 2.0}};
  EXPECT_NE(errorTextOfPatchShape(shape), "");
}

}  // namespace
}  // namespace ricochet::patch
