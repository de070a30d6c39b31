// Link laws compared with closed forms.

#include "verification/support/link_laws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace ricochet {
namespace {

using test::DrivenLink;
using test::motionAlong;

// ---- force_displacement, force_velocity, force

TEST(LinkFunction, IntegratesTablesExactly) {
  const std::vector<double> x{-1.0, 1.0, 2.0};
  const std::vector<double> f{-2.0, 2.0, 10.0};
  const LinkFunction table(
      TimeFunction::table(x, f, TimeFunction::Outside::constant, TimeFunction::Outside::linear));
  EXPECT_DOUBLE_EQ(table.at(0.5), 1.0);
  EXPECT_DOUBLE_EQ(table.at(-3.0), -2.0);
  EXPECT_DOUBLE_EQ(table.at(3.0), 18.0);
  EXPECT_DOUBLE_EQ(table.integral(0.0, 3.0), 1.0 + 6.0 + 14.0);  // triangle, trapezoid, trapezoid
  EXPECT_DOUBLE_EQ(table.integral(3.0, 0.0), -21.0);
  EXPECT_DOUBLE_EQ(table.integral(0.0, -2.0), 1.0 + 2.0);
  EXPECT_DOUBLE_EQ(table.slope(1.5), 8.0);
  EXPECT_DOUBLE_EQ(table.largestSlope(), 8.0);
}

TEST(LinkFunction, IntegratesFormulasThatDecide) {
  const LinkFunction jumps = test::formulaOf("if(x < 0.3, 1, 5)", "x");
  EXPECT_NEAR(jumps.integral(0.0, 1.0), 0.3 + 5.0 * 0.7, 1e-12);
  EXPECT_NEAR(jumps.integral(1.0, 0.0), -0.3 - 5.0 * 0.7, 1e-12);
  const double bent = 0.5 * (1.3 * 1.3 + 0.7 * 0.7);
  EXPECT_NEAR(test::formulaOf("abs(x - 0.3)", "x").integral(-1.0, 1.0), bent, 1e-12);
  EXPECT_NEAR(test::formulaOf("max(0, x - 0.9)", "x").integral(0.0, 1.0), 0.5e-2, 1e-12);
}

TEST(LinkFunction, DifferentiatesFormulas) {
  const LinkFunction f = test::formulaOf("sin(x)*exp(-x) + x^2/(1 + abs(x)) + atan2(x, 2) + 3^x", "x");
  const double x = 0.7;
  const double exact = std::cos(x) * std::exp(-x) - std::sin(x) * std::exp(-x) +
                       (2.0 * x * (1.0 + x) - x * x) / ((1.0 + x) * (1.0 + x)) + 2.0 / (4.0 + x * x) +
                       std::log(3.0) * std::pow(3.0, x);
  EXPECT_NEAR(f.slope(x), exact, 1e-14);
}

TEST(ForceDisplacement, StoresTheIntegral) {
  DrivenLink<ForceDisplacement> link({test::formulaOf("4e4*x^3", "x")});
  link.start(motionAlong(0.0, 0.1, 0.0));
  EXPECT_NEAR(link.state().stored, 1.0, 1e-14);  // 1e4 x^4
  link.take(motionAlong(0.1, -0.05, 0.0));
  EXPECT_NEAR(link.state().stored, 0.0625, 1e-14);
}

TEST(ForceVelocity, DissipatesItsWork) {
  // x = t^3: v^2 integrates to 9 t^5/5, and v = 3 t^2 of the cubic is exact for Simpson's rule.
  DrivenLink<ForceVelocity> link({test::formulaOf("2*v", "v")});
  link.start(motionAlong(0.0, 0.0, 0.0));
  for (int i = 1; i <= 64; ++i) {
    const double t = i / 64.0;
    link.take(motionAlong(t, t * t * t, 3.0 * t * t));
  }
  // Error h^4 of Simpson's rule for a quartic: 2.4e-8 * 54.
  EXPECT_NEAR(link.state().dissipated, 18.0 / 5.0, 1e-6);
  EXPECT_DOUBLE_EQ(link.state().force[0], 6.0);
}

// ---- antiseismic

TEST(Antiseismic, IsItsFormula) {
  const Antiseismic law = exampleOfType<Antiseismic>();
  const double x = 0.01, v = -0.2;
  const double y = law.stiffnessInitial * x / law.threshold;
  const double exact = law.stiffnessFinal * x +
                       (law.stiffnessInitial - law.stiffnessFinal) * x / std::sqrt(1.0 + y * y) -
                       law.damping * std::pow(std::abs(v * x) / law.displacementMax, law.exponent);
  EXPECT_NEAR(law.computeResponse<double>({}, motionAlong(0.0, x, v)).force[0], exact,
              1e-12 * std::abs(exact));
  EXPECT_EQ(law.computeResponse<double>({}, motionAlong(0.0, 0.0, v)).force[0], 0.0);
  EXPECT_NEAR(law.computeResponse<double>({}, motionAlong(0.0, 1e-9, 0.0)).force[0],
              law.stiffnessInitial * 1e-9, 1e-9);
}

TEST(Antiseismic, OpensAParabolaWhenTheDashpotIsLinear) {
  // alpha = 1: f = ... + C v |x|/D; a harmonic cycle of amplitude a dissipates C a^3 w/D integral |sin| cos^2
  // = 4/3 C w a^3/D
  Antiseismic law = exampleOfType<Antiseismic>();
  law.exponent = 1.0;
  DrivenLink<Antiseismic> link(law);
  const double a = 0.02, w = 3.0;
  const auto at = [&](double t) { return motionAlong(t, a * std::sin(w * t), a * w * std::cos(w * t)); };
  link.start(at(0.0));
  for (int i = 1; i <= 4000; ++i) link.take(at(2.0 * std::numbers::pi / w * i / 4000));
  EXPECT_NEAR(link.state().dissipated, 4.0 / 3.0 * law.damping * w * a * a * a / law.displacementMax, 1e-6);
}

// ---- zener

Zener zenerLaw(double exponent) { return {1.0 / 120.0, 10.0, 1.0 / 60.0, 1.7, exponent}; }

TEST(Zener, RelaxesAsItShould) {
  // At constant x: s' = -G (s/C)^n, so s^(1-n) = s0^(1-n) + (n-1) G/C^n t, and f = beta (K2 x + s).
  const Zener law = zenerLaw(0.5);
  const double n = 2.0, x = 0.1, beta = law.stiffnessShareOfSpringInSeries(), g = law.stiffnessOfDashpot();
  const double s0 = g * beta * x;
  const auto s = [&](double t) { return 1.0 / (1.0 / s0 + g / std::pow(law.damping, n) * t); };
  DrivenLink<Zener> link(law);
  link.start(motionAlong(0.0, x, 0.0));
  EXPECT_NEAR(link.state().force[0], beta * (10.0 * x + s0), 1e-13);
  // Steps of an eighth of s0/|s0'|.
  for (int i = 1; i <= 400; ++i) link.take(motionAlong(0.0025 * i, x, 0.0));
  EXPECT_NEAR(link.state().force[0], beta * (10.0 * x + s(1.0)), 1e-9);
  EXPECT_NEAR(link.state().dissipated, 0.5 * (s0 * s0 - s(1.0) * s(1.0)) / g, 1e-7);
}

double zenerForce(double exponent, int steps) {
  DrivenLink<Zener> link(zenerLaw(exponent));
  const auto at = [](double t) {
    return motionAlong(t, 0.1 * (1.0 - std::cos(9.0 * t)), 0.9 * std::sin(9.0 * t));
  };
  link.start(at(0.0));
  for (int i = 1; i <= steps; ++i) link.take(at(0.3 * i / steps));
  return link.state().force[0];
}

TEST(Zener, ConvergesAtFourthOrder) {
  // A smooth motion without a change of the sign of s, so that the power law is smooth too.
  for (const double exponent : {0.5, 1.0}) {
    const double fine = zenerForce(exponent, 6400);
    const double order =
        std::log2(std::abs(zenerForce(exponent, 50) - fine) / std::abs(zenerForce(exponent, 100) - fine));
    EXPECT_GT(order, 3.0) << exponent;
    EXPECT_LT(std::abs(zenerForce(exponent, 100) - fine), 1e-5) << exponent;
  }
}

TEST(Zener, IsTheLinearSolidForALinearDashpot) {
  // harmonic motion: complex stiffness beta (K2 + i w C G beta/(G + i w C))
  const Zener law = zenerLaw(1.0);
  const double a = 0.1, w = 20.0, beta = law.stiffnessShareOfSpringInSeries(), g = law.stiffnessOfDashpot();
  const double wc = w * law.damping;
  const double real = wc * wc * g / (g * g + wc * wc), imaginary = wc * g * g / (g * g + wc * wc);
  DrivenLink<Zener> link(law);
  const auto at = [&](double t) { return motionAlong(t, a * std::sin(w * t), a * w * std::cos(w * t)); };
  link.start(at(0.0));
  const double period = 2.0 * std::numbers::pi / w;
  double before = 0.0;
  for (int i = 1; i <= 4000; ++i) {  // duration of twenty periods
    if (i == 3801) before = link.state().dissipated;
    link.take(at(period * i / 200));
  }
  EXPECT_NEAR(link.state().force[0], beta * beta * imaginary * a, 1e-7);  // where x = 0, v > 0
  (void)real;
  EXPECT_NEAR(link.state().dissipated - before, std::numbers::pi * a * a * beta * beta * imaginary, 1e-4);
}

TEST(Zener, TakesStiffStepsWithoutOvershoot) {
  // A step far beyond the relaxation time ends at the long-term force; small exponents give the stiffest
  // equation.
  for (const double exponent : {0.1, 0.5, 1.0}) {
    const Zener law = zenerLaw(exponent);
    DrivenLink<Zener> link(law);
    link.start(motionAlong(0.0, 10.0, 0.0));
    link.take(motionAlong(1e3, 10.0, 0.0));
    const double rest = law.stiffnessShareOfSpringInSeries() * 10.0 * 10.0;
    EXPECT_GE(link.state().force[0], rest * (1.0 - 1e-9)) << exponent;
    EXPECT_LT(link.state().force[0], law.slopeBounds({}).stiffness * 10.0) << exponent;
  }
}

// ---- elastoplastic

TEST(Elastoplastic, FollowsItsCurveAndUnloadsElastically) {
  const Elastoplastic law = test::exampleLinkLaw<Elastoplastic>();
  DrivenLink<Elastoplastic> link(law);
  link.start(motionAlong(0.0, 0.0, 1.0));
  // One step across a corner of the curve, which is linear from 1.5 to 4.5.
  link.take(motionAlong(1.0, 3.0, 1.0));
  EXPECT_NEAR(link.state().force[0], 325.0, 1e-12);
  EXPECT_NEAR(link.state().memory[Elastoplastic::kAccumulated], 3.0 - 325.0 / 400.0, 1e-14);
  EXPECT_NEAR(link.state().event, 0.5 / 3.0, 1e-14);
  link.take(motionAlong(2.0, 2.5, -1.0));
  // The cubic has a peak above 3; its plastic part lies on the curve.
  EXPECT_GT(link.state().memory[Elastoplastic::kAccumulated], 3.0 - 325.0 / 400.0);
}

TEST(Elastoplastic, IsothropicLoopGrowsKinematicLoopMoves) {
  const HardeningCurve isotropic({0.5, 1.5}, {200.0, 300.0}, false);
  const HardeningCurve kinematic({0.5, 1.5}, {200.0, 300.0}, true);
  // K = 400, p2 = 1.5 - 0.75 = 0.75, H = 100/0.75
  const auto forceAfter = [](const HardeningCurve& curve) {
    DrivenLink<Elastoplastic> link({curve, false});
    link.start(motionAlong(0.0, 0.0, 0.0));
    link.take(motionAlong(1.0, 1.5, 0.0));
    EXPECT_NEAR(link.state().force[0], 300.0, 1e-12);
    link.take(motionAlong(2.0, 0.0, 0.0));
    return link.state();
  };
  // Isotropic hardening: the elastic range is 600 N wide, and the return of 1.5 m from 300 N gives at most
  // 600 N: the link just yields.
  EXPECT_NEAR(forceAfter(isotropic).force[0], -300.0, 1e-12);
  // Kinematic hardening: the link yields again at -100 N, after 1 m; the remaining 0.5 m have the hardening
  // slope 100.
  EXPECT_NEAR(forceAfter(kinematic).force[0], -100.0 - 0.5 * 100.0, 1e-12);
  // The dissipated energy is R dp: 200 (0.75 + 0.5 - 50/400).
  EXPECT_NEAR(forceAfter(kinematic).dissipated, 200.0 * (0.75 + 0.375), 1e-10);
  // Isotropic hardening: mean yield force 250 over 0.75.
  EXPECT_NEAR(forceAfter(isotropic).dissipated, 250.0 * 0.75, 1e-10);
}

TEST(Elastoplastic, SeesATurnInsideAStep) {
  // x = 2 sin t to beyond its peak in two steps; the cubic has an error of h^4.
  const auto end = [](int steps) {
    DrivenLink<Elastoplastic> link(test::exampleLinkLaw<Elastoplastic>());
    const auto at = [](double t) { return motionAlong(t, 2.0 * std::sin(t), 2.0 * std::cos(t)); };
    link.start(at(0.0));
    for (int i = 1; i <= steps; ++i) link.take(at(2.0 * i / steps));
    return link.state().memory[Elastoplastic::kPlastic];
  };
  const double peak = 300.0 + 50.0 * 0.5 / 3.0;  // on the curve at 2 m
  EXPECT_NEAR(end(2), 2.0 - peak / 400.0, 5e-3);
  EXPECT_NEAR(end(4), 2.0 - peak / 400.0, 5e-4);
  EXPECT_NEAR(end(101), 2.0 - peak / 400.0, 1e-8);
}

TEST(Elastoplastic, TurnsInThePlaneAsTheClosedFormSays) {
  // Perfect plasticity: from (R, 0) with a motion along y, tan(d/2) decays from tan(45 deg) by exp(-l/R).
  const Elastoplastic law{HardeningCurve({0.5}, {200.0}, false), true};
  DrivenLink<Elastoplastic> link(law);
  link.start({{0.5, 0.0}, {}, 0.0});
  EXPECT_NEAR(link.state().force[0], 200.0, 1e-12);
  link.take({{0.5, 0.3}, {}, 1.0});
  const double half = std::exp(-400.0 * 0.3 / 200.0);
  EXPECT_NEAR(link.state().force[0], 200.0 * 2.0 * half / (1.0 + half * half), 1e-11);
  EXPECT_NEAR(link.state().force[1], 200.0 * (1.0 - half * half) / (1.0 + half * half), 1e-11);
  // p = R/K ln(sin d0/sin d1), dissipated energy R p; the substeps use the cosine in their middle.
  const double p = 0.5 * std::log((1.0 + half * half) / (2.0 * half));
  EXPECT_NEAR(link.state().memory[Elastoplastic::kAccumulated], p, 2e-4);
}

TEST(Elastoplastic, IsOfSecondOrderInThePlane) {
  const auto force = [](int steps) {
    Elastoplastic law = test::exampleLinkLaw<Elastoplastic>();
    law.tangential = true;
    DrivenLink<Elastoplastic> link(law);
    const auto at = [](double t) -> LinkMotion<double> {
      return {{1.2 * t, 1.0 - std::cos(2.0 * t)}, {1.2, 2.0 * std::sin(2.0 * t)}, t};
    };
    link.start(at(0.0));
    for (int i = 1; i <= steps; ++i) link.take(at(1.5 * i / steps));
    return link.state().force;
  };
  const auto fine = force(6400);
  const auto error = [&](int steps) {
    const auto f = force(steps);
    return std::hypot(f[0] - fine[0], f[1] - fine[1]);
  };
  EXPECT_GT(std::log2(error(50) / error(100)), 1.8);
  EXPECT_LT(error(100), 0.05);
}

TEST(Elastoplastic, IsTheAxialLawAlongALineInThePlane) {
  Elastoplastic plane = test::exampleLinkLaw<Elastoplastic>();
  plane.tangential = true;
  DrivenLink<Elastoplastic> inPlane(plane), onAxis(test::exampleLinkLaw<Elastoplastic>());
  inPlane.start({});
  onAxis.start({});
  const double c = 0.6, s = 0.8;
  double t = 0.0;
  for (const double x : {0.3, 0.9, 1.8, 1.0, -0.2, -2.5, -1.0, 1.0, 3.0}) {
    t += 1.0;
    inPlane.take({{c * x, s * x}, {}, t});
    onAxis.take(motionAlong(t, x, 0.0));
    EXPECT_NEAR(inPlane.state().force[0], c * onAxis.state().force[0], 1e-10) << x;
    EXPECT_NEAR(inPlane.state().force[1], s * onAxis.state().force[0], 1e-10) << x;
    EXPECT_NEAR(inPlane.state().dissipated, onAxis.state().dissipated, 1e-9) << x;
  }
}

}  // namespace
}  // namespace ricochet
