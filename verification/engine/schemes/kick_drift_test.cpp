#include "engine/schemes/kick_drift.hpp"

#include "verification/support/linear_reference.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/stepper.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

using test::LinearProblem;
using test::LinearSolution;

LinearProblem freeMotion(const Vector& eigenvalues, const Matrix& damping) {
  const Eigen::Index m = eigenvalues.size();
  return {.stiffness = eigenvalues.asDiagonal(),
          .damping = damping,
          .constantLoad = Vector::Zero(m),
          .loadSlope = Vector::Zero(m),
          .q0 = Vector::LinSpaced(m, 1.0, -1.0),
          .v0 = Vector::LinSpaced(m, 3.0, 5.0)};
}

/// Difference from the exact free motion at 1 s after `steps` equal steps, relative to the motion.
double freeError(const LinearProblem& problem, bool diagonal, int steps) {
  test::ModelParts parts;
  parts.linear = LinearSystem(problem.stiffness.diagonal(), problem.damping, diagonal);
  const ModalModel model = parts.build();
  const Eigen::Index m = model.linear.modes;
  State initial(m);
  initial.q.head(m) = problem.q0;
  initial.v.head(m) = problem.v0;
  test::Stepper<KickDrift> stepper(model, 1.0 / steps, initial);
  stepper.steps(steps);
  const LinearSolution exact = solveExactly(problem, 1.0);
  return std::hypot((stepper.state().q.head(m) - exact.q).norm(),
                    (stepper.state().v.head(m) - exact.v).norm()) /
         std::hypot(problem.q0.norm(), problem.v0.norm());
}

// Rounding: each step multiplies by four numbers of about 1 (q and v differ by omega: eps omega), and the
// reference, a matrix exponential of norm |A| = omega^2, has an error of some eps |A|: 1e-15 * 40^2 ~ 2e-12
// for these modes.
constexpr double kStepRounding = 5e-11;

TEST(KickDrift, MovesAFreeStructureExactlyWhateverTheStep) {
  // Rigid-body, undamped, under-, critically and overdamped modes; from 1/16 of a period to several periods
  // per step.
  const Vector eigenvalues{{0.0, 0.0, 1600.0, 1600.0, 100.0, 100.0}};
  const Matrix damping = Vector{{0.0, 2.0, 0.0, 8.0, 20.0, 50.0}}.asDiagonal();
  for (const int steps : {1, 2, 7, 100, 1000})
    EXPECT_LT(freeError(freeMotion(eigenvalues, damping), true, steps), kStepRounding) << steps << " steps";
}

TEST(KickDrift, HasNoSeamNearCriticalDamping) {
  // (omega^2 - d^2) h^2 on either side of the threshold of the series, 1e-8.
  for (const double offset : {-1e-3, -1e-9, -1e-12, 0.0, 1e-12, 1e-9, 1e-3}) {
    const Vector eigenvalues = Vector::Constant(1, 100.0 + offset);
    const Matrix damping = Matrix::Constant(1, 1, 20.0);
    for (const int steps : {1, 10, 100})
      EXPECT_LT(freeError(freeMotion(eigenvalues, damping), true, steps), kStepRounding)
          << offset << ", " << steps;
  }
}

TEST(KickDrift, DoesNotOverflowWhenVeryOverdamped) {
  // d h = 5e5: a hyperbolic cosine would overflow; the slow root is omega^2 / 2d = 1e-4 1/s.
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Constant(1, 100.0), Matrix::Constant(1, 1, 1e6), true);
  const ModalModel model = parts.build();
  State initial(1);
  initial.q[0] = 1.0;
  test::Stepper<KickDrift> stepper(model, 1.0, initial);
  stepper.steps(100);
  // The root and its share of the start differ from 1e-4 and 1 by fractions of 1e-10; w - d would cancel
  // except for eps d = 1e-10 1/s, over 100 s 1e-8.
  EXPECT_NEAR(stepper.state().q[0], std::exp(-1e-4 * 100.0), 3e-10);
}

TEST(KickDrift, MovesCoupledModesExactly) {
  const Vector eigenvalues{{0.0, 400.0, 900.0}};
  Matrix damping(3, 3);
  damping << 1.0, -2.0, 0.5, -2.0, 6.0, 1.0, 0.5, 1.0, 3.0;
  for (const int steps : {1, 2, 50})
    EXPECT_LT(freeError(freeMotion(eigenvalues, damping), false, steps), kStepRounding) << steps << " steps";
}

/// The unit of time changes omega, damping and step together: h omega stays.
TEST(KickDrift, MovesCoupledModesExactlyInAnyUnitOfTime) {
  const Vector eigenvalues{{0.0, 4.0, 9.0}};
  Matrix damping(3, 3);
  damping << 1.0, -0.2, 0.5, -0.2, 0.6, 0.1, 0.5, 0.1, 0.3;
  const LinearProblem problem = freeMotion(eigenvalues, damping);
  const LinearSolution exact = solveExactly(problem, 1.0);
  for (const double unit : {1.0, 1e-9, 1e9}) {
    constexpr int kSteps = 200;
    test::ModelParts parts;
    parts.linear = LinearSystem(unit * unit * eigenvalues, unit * damping, false);
    const ModalModel model = parts.build();
    State initial(3);
    initial.q.head(3) = problem.q0;
    initial.v.head(3) = unit * problem.v0;
    test::Stepper<KickDrift> stepper(model, 1.0 / (unit * kSteps), initial);
    stepper.steps(kSteps);
    EXPECT_LT((stepper.state().q.head(3) - exact.q).norm(), 1e-12) << unit;
    EXPECT_LT((stepper.state().v.head(3) / unit - exact.v).norm(), 1e-12) << unit;
  }
}

/// Two modes of one frequency and a damping that is diagonal after a rotation by 45 degrees, beside two that
/// turn by 1000 rad in a step: closed form of two damped oscillators.
TEST(KickDrift, MovesSlowCoupledModesExactlyBesideFastOnes) {
  constexpr double kOmega = 30.0, kFast = 1e7, kFirst = 2.0, kSecond = 0.5, kStep = 1e-4;
  constexpr int kSteps = 10000;
  const Vector eigenvalues{{kOmega * kOmega, kOmega * kOmega, kFast * kFast, kFast * kFast}};
  const double mean = 0.5 * (kFirst + kSecond), half = 0.5 * (kFirst - kSecond);
  Matrix damping(4, 4);
  damping.setZero();
  damping.topLeftCorner(2, 2) << mean, half, half, mean;
  damping.bottomRightCorner(2, 2) << mean, half, half, mean;
  test::ModelParts parts;
  parts.linear = LinearSystem(eigenvalues, damping, false);
  const ModalModel model = parts.build();
  State initial(4);
  initial.v[0] = 1.0;
  test::Stepper<KickDrift> stepper(model, kStep, initial);
  stepper.steps(kSteps);
  const auto displacement = [&](double c) {
    const double t = kStep * kSteps, w = std::sqrt(kOmega * kOmega - 0.25 * c * c);
    return std::exp(-0.5 * c * t) * std::sin(w * t) / w;
  };
  EXPECT_NEAR(stepper.state().q[0], 0.5 * (displacement(kFirst) + displacement(kSecond)), 1e-13);
  EXPECT_NEAR(stepper.state().q[1], 0.5 * (displacement(kFirst) - displacement(kSecond)), 1e-13);
}

TEST(KickDrift, CoupledAndUncoupledDriftsAgreeOnADiagonalMatrix) {
  const Vector eigenvalues{{0.0, 400.0, 900.0}};
  const Matrix damping = Vector{{1.0, 6.0, 80.0}}.asDiagonal();
  const LinearProblem problem = freeMotion(eigenvalues, damping);
  EXPECT_LT(freeError(problem, true, 8), kStepRounding);
  EXPECT_LT(freeError(problem, false, 8), kStepRounding);
}

TEST(KickDrift, MayResonateWithAnUndampedMode) {
  // One mode omega with a contact spring kappa (per unit mass) that never opens. One step has half the trace
  //
  //     cos(omega h) - kappa h / (2 omega) sin(omega h),
  //
  // below -1 when pi - kappa h/omega < omega h < pi: the kicks excite the mode. Damping above kappa / (2
  // omega^2) of critical prevents this resonance.
  const double omega = 1000.0, kappa = 4e4;
  const double h = (std::numbers::pi - 0.5 * kappa * std::numbers::pi / (omega * omega)) / omega;
  const double halfTrace = std::cos(omega * h) - kappa * h / (2.0 * omega) * std::sin(omega * h);
  ASSERT_LT(halfTrace, -1.0);
  for (const double ratio : {0.0, 1.5 * kappa / (2.0 * omega * omega)}) {
    test::ModelParts parts =
        test::slider({.mass = 1.0, .stiffness = omega * omega, .damping = 2.0 * ratio * omega}, 1e30,
                     {.muStatic = 1.0, .muDynamic = 1.0, .stiffness = kappa});
    const ModalModel model = parts.build();
    State initial(1);
    initial.v[0] = 1.0;
    test::Stepper<KickDrift> stepper(model, h, initial);
    stepper.steps(200);
    const double energy = std::hypot(omega * stepper.state().q[0], stepper.state().v[0]);
    if (ratio == 0.0) {
      // Multiplier x = |tr/2| + sqrt(tr^2/4 - 1): x^200, times the share of the motion along this
      // eigenvector.
      const double multiplier = -halfTrace + std::sqrt(halfTrace * halfTrace - 1.0);
      EXPECT_NEAR(std::log(energy) / std::log(multiplier), 200.0, 30.0);
    } else {
      EXPECT_LT(energy, 1.0);
    }
  }
}

TEST(KickDrift, InterpolatesAFreeStructureExactly) {
  const Vector eigenvalues{{0.0, 1600.0}};
  const Matrix damping = Vector{{1.0, 8.0}}.asDiagonal();
  const LinearProblem problem = freeMotion(eigenvalues, damping);
  test::ModelParts parts;
  parts.linear = LinearSystem(eigenvalues, damping, true);
  const ModalModel model = parts.build();
  State initial(2);
  initial.q.head(2) = problem.q0;
  initial.v.head(2) = problem.v0;
  // One step of six periods of the second mode, with output at any instant inside.
  TransientOptions options{.end = 1.0, .step = 1.0};
  options.archiveTimes = {0.0, 0.1, 0.35, 0.5, 0.999};
  const test::Outcome run = test::runModel(model, "kick_drift", initial, options);
  ASSERT_EQ(run.seen.rows.size(), 5U);
  for (const test::Recorder::Row& row : run.seen.rows) {
    const LinearSolution exact = solveExactly(problem, row.state.time);
    EXPECT_LT((row.state.q.head(2) - exact.q).norm(), kStepRounding) << row.state.time;
    EXPECT_LT((row.state.v.head(2) - exact.v).norm(), 40.0 * kStepRounding) << row.state.time;
    const Vector acceleration = -problem.stiffness * exact.q - problem.damping * exact.v;
    EXPECT_LT((row.state.a.head(2) - acceleration).norm(), 1600.0 * kStepRounding) << row.state.time;
  }
}

}  // namespace
}  // namespace ricochet
