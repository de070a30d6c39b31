// Dissipation of heavily damped modes in kick_drift: exact for free motion, zero under a constant force at
// rest, of second order otherwise.

#include "engine/schemes/heavy_damping.hpp"

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace ricochet {
namespace {

double energyOf(const LinearSystem& linear, const State& s) {
  return 0.5 * (s.v.squaredNorm() + s.q.dot(linear.omegaSquared.cwiseProduct(s.q)));
}

State stateOf(const Vector& q, const Vector& v) {
  State s(q.size());
  s.q.head(q.size()) = q;
  s.v.head(v.size()) = v;
  return s;
}

/// Residual of the energy balance of a free structure at `end`, relative to its initial energy.
double missedWhenFree(const LinearSystem& linear, double step, double end = 1.0) {
  test::ModelParts parts;
  parts.linear = linear;
  const Eigen::Index m = linear.modes;
  const State start = stateOf(Vector::LinSpaced(m, 1.0, -1.0), Vector::LinSpaced(m, 3.0, 5.0) / end);
  const test::Outcome run = test::runModel(parts.build(), "kick_drift", start, {.end = end, .step = step});
  const double before = energyOf(linear, start);
  return std::abs(before - energyOf(linear, run.state) - run.report.energy.damping) / before;
}

TEST(HeavyDamping, TakesFromAFreeStructureWhatItLoses) {
  // Under-, critically and overdamped modes, omega h up to 4, c h from 0.06 to 300.
  const Vector eigenvalues{{4.0, 100.0, 100.0, 1600.0, 1600.0}};
  const Matrix damping = Vector{{3.0, 20.0, 3000.0, 6.0, 80.0}}.asDiagonal();
  for (const double step : {0.1, 0.05, 0.02})
    EXPECT_LT(missedWhenFree(LinearSystem(eigenvalues, damping, true), step), 1e-11) << step;
  Matrix coupled(5, 5);
  coupled.setConstant(1.0);
  coupled += damping;
  coupled(0, 1) += 5.0;  // gyroscopic: no dissipation
  coupled(1, 0) -= 5.0;
  for (const double step : {0.05, 0.02}) {
    EXPECT_LT(missedWhenFree(LinearSystem(eigenvalues, coupled, false), step), 1e-10) << step;
    // The same structure in a unit of time of 1e9 s.
    const LinearSystem slower(1e18 * eigenvalues, 1e9 * coupled, false);
    EXPECT_LT(missedWhenFree(slower, 1e-9 * step, 1e-9), 1e-10) << step;
  }
}

TEST(HeavyDamping, TakesFromARigidBodyWhatItLoses) {
  // The form of a mode with omega h = 1e-3 is used instead: the error is at most 1e-6/12 of the dissipation.
  const Vector eigenvalues{{0.0, 9.0}};
  const Matrix damping = Vector{{7.0, 40.0}}.asDiagonal();
  for (const bool diagonal : {true, false})
    for (const double step : {0.2, 0.01})
      EXPECT_LT(missedWhenFree(LinearSystem(eigenvalues, damping, diagonal), step), 1e-6) << step;
}

TEST(HeavyDamping, TakesNothingWhereAForceHolds) {
  // Start from the static equilibrium under a constant force; c h = 0.05 to 30, omega h = 0.1 to 2.
  constexpr double kForce = 100.0;
  const double step = 1e-3;
  const Vector eigenvalues{{1e4, 1e6, 1e6, 4e6}};
  const Matrix damping = Vector{{50.0, 300.0, 3e3, 3e4}}.asDiagonal();
  const Vector displacement = kForce * eigenvalues.cwiseInverse();
  for (const bool diagonal : {true, false}) {
    test::ModelParts parts;
    parts.linear = LinearSystem(eigenvalues, damping, diagonal);
    parts.loads.push_back({Vector::Constant(4, kForce), TimeFunction::constant(1.0)});
    const State start = stateOf(displacement, Vector::Zero(4));
    const auto lostAfter = [&](double end) {
      return test::runModel(parts.build(), "kick_drift", start, {.end = end, .step = step})
          .report.energy.damping;
    };
    // The equilibrium of the scheme differs by the kicks of a step, an energy of (h f)^2 per mode: the motion
    // goes there.
    const double kicks = 4.0 * step * step * kForce * kForce;
    const double first = lostAfter(5.0);
    EXPECT_LT(std::abs(first), kicks);
    // There the motion stays. v.C v of a kick would be 1e4 times as large, and cancels except for rounding.
    EXPECT_LT(std::abs(lostAfter(50.0) - first), 1e-6 * kicks) << diagonal;
  }
}

TEST(HeavyDamping, IsOfSecondOrderUnderAHarmonicForce) {
  // Steady motion x = X cos(W t - p) of q'' + c q' + w^2 q = F cos(W t): pi c W X^2 per period.
  constexpr double kOmega = 30.0, kDamping = 100.0, kDrive = 10.0, kForce = 1e3;
  const double stiff = kOmega * kOmega - kDrive * kDrive;
  const double lossy = kDamping * kDrive;
  const double amplitude = kForce / std::hypot(stiff, lossy);
  const double lag = std::atan2(lossy, stiff);
  constexpr int kPeriods = 3;
  const double end = kPeriods * 2.0 * std::numbers::pi / kDrive;
  const double exact = kPeriods * std::numbers::pi * kDamping * kDrive * amplitude * amplitude;
  test::ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = kOmega * kOmega, .damping = kDamping});
  parts.loads.push_back(
      {Vector::Constant(1, 1.0),
       TimeFunction::formula(Formula::parse("1000*cos(10*t)", std::array<std::string_view, 1>{"t"}))});
  State start(1);
  start.q[0] = amplitude * std::cos(lag);
  start.v[0] = amplitude * kDrive * std::sin(lag);
  const auto error = [&](int steps) {
    const TransientOptions options{.end = end, .step = end / steps};
    return test::runModel(parts.build(), "kick_drift", start, options).report.energy.damping / exact - 1.0;
  };
  const double coarse = error(600), fine = error(1200);  // c h = 0.31, 0.16
  EXPECT_LT(std::abs(coarse), 2e-2);
  EXPECT_NEAR(coarse / fine, 4.0, 0.4);
}

TEST(HeavyDamping, IsSeenByDampingAgainstStep) {
  const auto uncoupled = [](double eigenvalue, double c) {
    return LinearSystem(Vector{{1.0, eigenvalue}}, Vector{{0.1, c}}.asDiagonal().toDenseMatrix(), true);
  };
  EXPECT_TRUE(HeavyDamping::isDampingLossCorrectionNeeded(uncoupled(100.0, 30.0), 1e-3));
  EXPECT_FALSE(HeavyDamping::isDampingLossCorrectionNeeded(uncoupled(100.0, 10.0), 1e-3));
  // More than half a turn in a step is possible only with a transient damping.
  EXPECT_FALSE(HeavyDamping::isDampingLossCorrectionNeeded(uncoupled(16e6, 300.0), 1e-3));
  EXPECT_TRUE(HeavyDamping::isDampingLossCorrectionNeeded(uncoupled(16e6, 700.0), 1e-3));
  // A coupling without dissipation does not count.
  Matrix gyroscopic(2, 2);
  gyroscopic << 0.1, 1e3, -1e3, 0.1;
  EXPECT_FALSE(
      HeavyDamping::isDampingLossCorrectionNeeded(LinearSystem(Vector{{1.0, 2.0}}, gyroscopic, false), 1e-3));
  gyroscopic(1, 1) = 30.0;
  EXPECT_TRUE(
      HeavyDamping::isDampingLossCorrectionNeeded(LinearSystem(Vector{{1.0, 2.0}}, gyroscopic, false), 1e-3));
}

}  // namespace
}  // namespace ricochet
