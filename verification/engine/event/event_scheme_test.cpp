// The event scheme on models with a known solution that test difficult decisions of the scheme.

#include "engine/study/run_transient.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/formula_of_time.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

using test::ModelParts;
using test::Outcome;

TransientOptions optionsUntil(double end, std::vector<double> instants = {}) {
  TransientOptions options;
  options.end = end;
  options.step = end;
  options.archiveEvery = 1 << 30;
  options.instants = std::move(instants);
  return options;
}

Outcome runEvents(const ModelParts& parts, const State& initial, const TransientOptions& options) {
  const ModalModel model = parts.build();
  return test::runModel(model, "event", initial, options);
}

TEST(EventScheme, ErrorFollowsTheTolerance) {
  // Penalised SDND106, reference/problems/F02_sdnd106_penalised.json: x1(0.15), x2(0.339965).
  constexpr double kX1 = 1.353560735781504;
  constexpr double kX2 = 3.968566647032371;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    TransientOptions options = optionsUntil(0.34, {0.15, 0.339965});
    options.scheme.eventRelativeTolerance = tolerance;
    const Outcome outcome = runEvents(test::sdnd106(), State(2), options);
    ASSERT_EQ(outcome.seen.shown.size(), 2U);
    const auto displacement = [&](std::size_t i, int mass) {
      return test::modeShapeOfSdnd106Mass(mass).dot(outcome.seen.shown[i].second.state.q.head(2));
    };
    // Some hundred steps with this local error, amplified by events; 2e-11 is the rounding of a spring of 5e7
    // N/m at 4 m.
    const double bound = 100.0 * tolerance + 2e-11;
    EXPECT_NEAR(displacement(0, 1), kX1, bound) << tolerance;
    EXPECT_NEAR(displacement(1, 2), kX2, bound) << tolerance;
  }
}

TEST(EventScheme, TruncatesAboveTheToleranceOnlyByWhatItSays) {
  // For a free oscillator the error of each of n steps is below the tolerance times the energy norm.
  ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = 100.0});
  State s(1);
  s.q[0] = 0.3;
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    TransientOptions options = optionsUntil(20.0);
    options.scheme.eventRelativeTolerance = tolerance;
    const Outcome outcome = runEvents(parts, s, options);
    const double error = std::abs(outcome.state.q[0] - 0.3 * std::cos(200.0));
    EXPECT_LT(error, 0.3 * tolerance * static_cast<double>(outcome.report.steps) + 1e-13);
  }
}

TEST(EventScheme, StepDoesNotGrowWithTheStiffnessOfAContactThatIsOpen) {
  ModelParts parts = test::bouncer({.mass = 1.0, .stiffness = 100.0}, Slot{1.0}, {.stiffness = 1e12});
  State s(1);
  s.q[0] = 0.3;
  const Outcome outcome = runEvents(parts, s, optionsUntil(20.0));
  EXPECT_EQ(outcome.report.events, 0);
  EXPECT_LT(outcome.report.steps, 200);  // 200 rad in steps of about 2 rad
}

TEST(EventScheme, LandsOnAJumpOfAFormula) {
  // A free mass under 1 N until 0.3 s, given by a formula: x(1) = 0.3^2/2 + 0.3 * 0.7.
  ModelParts parts = test::oscillator({.mass = 1.0});
  parts.loads.push_back({Vector::Ones(1), test::formulaOfTime("if(t < 0.3, 1, 0)")});
  const Outcome outcome = runEvents(parts, State(1), optionsUntil(1.0));
  EXPECT_NEAR(outcome.state.q[0], 0.045 + 0.21, 1e-15);
}

TEST(EventScheme, FollowsAFormulaWithManyKinks) {
  // The load |sin(20 t)| on a free mass: v(T) = integral, x(T) = double integral; the mean over whole arches
  // is 2/pi.
  ModelParts parts = test::oscillator({.mass = 1.0});
  parts.loads.push_back({Vector::Ones(1), test::formulaOfTime("abs(sin(20*t))")});
  const double arches = 40.0;
  const double end = arches * std::numbers::pi / 20.0;
  const Outcome outcome = runEvents(parts, State(1), optionsUntil(end));
  EXPECT_EQ(outcome.report.status, RunStatus::complete);
  EXPECT_NEAR(outcome.state.v[0], 2.0 * arches / 20.0, 1e-12 * arches);
  EXPECT_LT(outcome.report.energyError, 1e-11);
}

TEST(EventScheme, SlidesToRestOnAPlaneInTwoDimensions) {
  // Level plane, mu = 0.3, g = 10 m/s^2, initial velocity (3, 4) m/s: the body stops after 5/3 s at (2.5,
  // 10/3) m.
  ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
  parts.contacts.push_back(test::contactOf(2, NoObstacle{}, ImposedForce{}, Coulomb{0.3, 0.3}));
  parts.contacts[0].imposedForce = TimeFunction::constant(10.0);
  parts.contacts[0].rows(1, 0) = parts.contacts[0].rows(2, 1) = 1.0;
  State s(2);
  s.v.head(2) << 3.0, 4.0;
  const Outcome outcome = runEvents(parts, s, optionsUntil(2.0));
  EXPECT_EQ(outcome.report.status, RunStatus::complete);
  ASSERT_EQ(outcome.seen.times(EventKind::slipToStick).size(), 1U);
  EXPECT_NEAR(outcome.seen.times(EventKind::slipToStick)[0], 5.0 / 3.0, 1e-12);
  EXPECT_NEAR(outcome.state.q[0], 2.5, 1e-12);
  EXPECT_NEAR(outcome.state.q[1], 10.0 / 3.0, 1e-12);
  EXPECT_LT(outcome.report.energyError, 1e-12);
}

TEST(EventScheme, TurningAxesOfAContactChangesNothing) {
  // The same motion with tangents rotated by 30 degrees, beside a spring and a load.
  const auto endOf = [](double angle) {
    ModelParts parts;
    parts.linear = LinearSystem((Vector(2) << 9.0, 25.0).finished(), Matrix::Zero(2, 2), true);
    parts.contacts.push_back(test::contactOf(2, NoObstacle{}, ImposedForce{}, Coulomb{0.4, 0.3}));
    parts.contacts[0].imposedForce = TimeFunction::constant(5.0);
    const double c = std::cos(angle), sn = std::sin(angle);
    parts.contacts[0].rows.row(1) << c, sn;
    parts.contacts[0].rows.row(2) << -sn, c;
    parts.loads.push_back({(Vector(2) << 2.0, -1.0).finished(), test::formulaOfTime("3*sin(4*t)")});
    State s(2);
    s.v.head(2) << 1.0, -0.5;
    return runEvents(parts, s, optionsUntil(6.0));
  };
  const Outcome straight = endOf(0.0);
  const Outcome turned = endOf(std::numbers::pi / 6.0);
  EXPECT_EQ(straight.report.status, RunStatus::complete);
  EXPECT_EQ(straight.seen.all.size(), turned.seen.all.size());
  EXPECT_LT((straight.state.q - turned.state.q).norm(), 1e-9);
  EXPECT_LT(straight.report.energyError, 1e-10);
}

TEST(EventScheme, RegularisedSlipThatTurnsTendsToTheRigidOne) {
  // The motion on the level plane with an elastic stick: the position of the stop differs by about mu N /
  // k_t.
  const auto stop = [](double stiffness) {
    ModelParts parts;
    parts.linear = LinearSystem((Vector(2) << 0.5, 2.0).finished(), Matrix::Zero(2, 2), true);
    parts.contacts.push_back(test::contactOf(2, NoObstacle{}, ImposedForce{}, Coulomb{0.3, 0.3}));
    if (stiffness > 0.0) parts.contacts[0].friction = RegularisedCoulomb{0.3, 0.3, stiffness, 0.0};
    parts.contacts[0].imposedForce = TimeFunction::constant(10.0);
    parts.contacts[0].rows(1, 0) = parts.contacts[0].rows(2, 1) = 1.0;
    State s(2);
    s.v.head(2) << 3.0, 4.0;
    return runEvents(parts, s, optionsUntil(1.0));
  };
  const Outcome rigid = stop(0.0);
  double before = 1.0;
  for (const double stiffness : {1e4, 1e5, 1e6}) {
    const Outcome soft = stop(stiffness);
    EXPECT_EQ(soft.report.status, RunStatus::complete);
    const double distance = (soft.state.q - rigid.state.q).norm();
    EXPECT_LT(distance, 20.0 / stiffness);
    EXPECT_LT(distance, before);
    before = distance;
    EXPECT_LT(soft.report.energyError, 1e-9);
  }
}

TEST(EventScheme, TwoContactsOfOneRigidBodyShareTheLoad) {
  // Both feet on one mass together hold mu (N1 + N2) = 0.5 * 30 N, and slip above this force.
  ModelParts parts = test::oscillator({.mass = 2.0});
  for (const double load : {10.0, 20.0}) {
    parts.contacts.push_back(test::contactOf(1, NoObstacle{}, ImposedForce{}, Coulomb{0.5, 0.4}));
    parts.contacts.back().imposedForce = TimeFunction::constant(load);
    parts.contacts.back().rows(1, 0) = 1.0 / std::sqrt(2.0);
  }
  parts.loads.push_back({Vector::Constant(1, 1.0 / std::sqrt(2.0)), test::formulaOfTime("10*t")});
  const Outcome outcome = runEvents(parts, State(1), optionsUntil(2.0));
  EXPECT_EQ(outcome.report.status, RunStatus::complete);
  const std::vector<double> breaks = outcome.seen.times(EventKind::stickToSlip);
  ASSERT_EQ(breaks.size(), 2U);
  // With equal shares the weaker foot reaches its limit of 5 N first and keeps 5 N until the other foot has
  // 10 N.
  EXPECT_NEAR(breaks.front(), 1.5, 1e-12);
  EXPECT_NEAR(breaks.back(), 1.5, 1e-12);
  // From there on 10 t - 12 N accelerate 2 kg: x(2) = double integral of (10 t - 12)/2 from 1.5.
  const double d = 0.5;
  EXPECT_NEAR(outcome.state.q[0] / std::sqrt(2.0), 0.5 * (3.0 * d * d / 2.0 + 10.0 * d * d * d / 6.0), 1e-12);
}

TEST(EventScheme, StepsDoNotAllocate) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  // A run of twice the duration with many more steps and events makes the same number of allocations.
  const auto allocations = [](double end) {
    ModelParts parts = test::bouncer({.mass = 2.0, .stiffness = 800.0}, Slot{0.01}, {.stiffness = 2e5});
    const ModalModel model = parts.build();
    ModalEquation equation(model);
    State s(1);
    s.v[0] = std::sqrt(2.0);
    struct Quiet : TransientObserver {
      void archive(const StepView&) override {}
    } quiet;
    const TransientOptions options = optionsUntil(end);
    const test::AllocationCounter counter;
    run("event", equation, s, options, quiet);
    return counter.count();
  };
  allocations(0.1);
  EXPECT_EQ(allocations(1.0), allocations(4.0));
}

}  // namespace
}  // namespace ricochet
