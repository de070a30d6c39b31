// Schemes with step control: tolerance, bounds of the step, breakpoints, archiving.

#include "engine/schemes/integrators.hpp"
#include "verification/support/linear_reference.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

using test::Outcome;
using test::runModel;

std::vector<std::string_view> adaptiveSchemes() {
  std::vector<std::string_view> all;
  Integrators::forEach([&]<class I>() {
    if (I::traits.adaptive) all.push_back(I::keyword);
  });
  return all;
}
std::vector<std::string_view> toleranceSchemes() {
  std::vector<std::string_view> all = adaptiveSchemes();
  std::erase(all, AdaptiveCentral::keyword);
  return all;
}

TEST(AdaptiveSchemes, ErrorIsProportionalToTheTolerance) {
  test::ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = 40.0, .damping = 0.9});
  parts.loads.push_back({Vector::Constant(1, 3.0), TimeFunction::constant(1.0)});
  const ModalModel model = parts.build();
  const test::LinearSolution exact = test::solveExactly({.stiffness = Matrix::Constant(1, 1, 40.0),
                                                         .damping = Matrix::Constant(1, 1, 0.9),
                                                         .constantLoad = Vector::Constant(1, 3.0),
                                                         .loadSlope = Vector::Zero(1),
                                                         .q0 = Vector::Constant(1, 1.0),
                                                         .v0 = Vector::Zero(1)},
                                                        3.0);
  for (const std::string_view scheme : toleranceSchemes()) {
    const auto errorWith = [&](double tolerance) {
      TransientOptions options{.end = 3.0, .step = 1e-3};
      options.scheme.relativeTolerance = tolerance;
      const Outcome run = runModel(model, scheme, test::stateOf(1.0, 0.0), options);
      EXPECT_EQ(run.report.status, RunStatus::complete);
      return std::hypot(std::sqrt(40.0) * (run.state.q[0] - exact.q[0]), run.state.v[0] - exact.v[0]);
    };
    const double coarse = errorWith(1e-5), fine = errorWith(1e-9);
    // The tolerance limits the local error per step: the global error is proportional to tolerance^(1 - 1/p),
    // 2/3 for p = 3 and 4/5 for p = 5.
    EXPECT_GT(std::log10(coarse / fine) / 4.0, 0.6) << scheme;
    EXPECT_LT(std::log10(coarse / fine) / 4.0, 1.3) << scheme;
    EXPECT_LT(fine, 1e-6) << scheme;
  }
}

TEST(AdaptiveSchemes, LandOnTheBreakpointsOfTheLoads) {
  // A force of 10 N from 0.3037 s on: exact for any scheme that splits its step there.
  test::ModelParts parts = test::oscillator({.mass = 1.0});
  const std::array times{-1.0, 0.3037, 0.3037, 100.0};
  const std::array values{0.0, 0.0, 10.0, 10.0};
  parts.loads.push_back(
      {Vector::Constant(1, 1.0),
       TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant)});
  const ModalModel model = parts.build();
  for (const std::string_view scheme : adaptiveSchemes()) {
    const Outcome run = runModel(model, scheme, State(1), {.end = 1.0, .step = 0.01});
    EXPECT_EQ(run.report.status, RunStatus::complete);
    EXPECT_NEAR(run.state.v[0], 6.963, 1e-12) << scheme;
    EXPECT_NEAR(run.state.q[0], 5.0 * 0.6963 * 0.6963, 1e-12) << scheme;
    EXPECT_EQ(run.state.time, 1.0);
    const auto& rows = run.seen.rows;
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const auto& r) { return r.state.time == 0.3037; }),
              1)
        << scheme;
    EXPECT_EQ(static_cast<long long>(rows.size()), run.report.steps + 1) << scheme;
  }
}

TEST(AdaptiveSchemes, ArchiveEveryNthAcceptedStepAndTheEnd) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 100.0}).build();
  for (const std::string_view scheme : adaptiveSchemes()) {
    const Outcome run =
        runModel(model, scheme, test::stateOf(1.0, 0.0), {.end = 2.0, .step = 1e-3, .archiveEvery = 7});
    const long long steps = run.report.steps;
    EXPECT_EQ(static_cast<long long>(run.seen.rows.size()), 1 + steps / 7 + (steps % 7 == 0 ? 0 : 1))
        << scheme;
    EXPECT_EQ(run.seen.rows.back().state.time, 2.0);
  }
}

TEST(AdaptiveSchemes, KeepWithinTheirBounds) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 100.0}).build();
  for (const std::string_view scheme : adaptiveSchemes()) {
    TransientOptions options{.end = 1.0, .step = 1e-4};
    options.scheme.stepMax = 1e-3;
    const Outcome run = runModel(model, scheme, test::stateOf(1.0, 0.0), options);
    for (std::size_t i = 1; i < run.seen.rows.size(); ++i)
      ASSERT_LE(run.seen.rows[i].state.time - run.seen.rows[i - 1].state.time, 1e-3 * (1.0 + 1e-9)) << scheme;
    // With a single step length the number of steps is as large as fits in the run.
    options.step = options.scheme.stepMin = 1e-3;
    options.scheme.relativeTolerance = 0.1;
    EXPECT_EQ(runModel(model, scheme, test::stateOf(1.0, 0.0), options).report.steps, 1000) << scheme;
  }
}

TEST(AdaptiveSchemes, StopAtAShortestStepThatIsRefused) {
  // A wall of omega = 1e4 1/s with steps of 1e-3 s: no scheme accepts such a step.
  const ModalModel model = test::bouncer({.mass = 1.0}, Slot{0.1003}, {.stiffness = 1e8}).build();
  for (const std::string_view scheme : adaptiveSchemes()) {
    TransientOptions options{.end = 1.0, .step = 1e-3};
    options.scheme.stepMin = 1e-3;
    options.scheme.stepMax = 1e-3;
    const Outcome run = runModel(model, scheme, test::stateOf(0.0, 1.0), options);
    EXPECT_EQ(run.report.status, RunStatus::stepTooSmall) << scheme;
    EXPECT_LE(run.report.contact, 0) << scheme;  // -1 if the trial had rebounded
    EXPECT_NEAR(run.report.time, 0.1, 2e-3) << scheme;
    EXPECT_EQ(run.report.events, 0) << scheme << ": the refused step leaves no trace";
    EXPECT_NEAR(run.state.v[0], 1.0, 1e-9) << scheme;
  }
}

TEST(AdaptiveSchemes, BounceBackAtTheSpeedTheyCame) {
  // An elastic wall: 1 m/s before and after; the contact lasts half a period, pi / 1e3 s.
  const ModalModel model = test::bouncer({.mass = 1.0}, Slot{0.1}, {.stiffness = 1e6}).build();
  for (const std::string_view scheme : adaptiveSchemes()) {
    const Outcome run = runModel(model, scheme, test::stateOf(0.0, 1.0), {.end = 0.15, .step = 1e-3});
    EXPECT_EQ(run.report.status, RunStatus::complete) << scheme;
    EXPECT_NEAR(run.state.v[0], -1.0, scheme == AdaptiveCentral::keyword ? 2e-2 : 1e-5) << scheme;
    EXPECT_EQ(run.report.events, 2) << scheme;
  }
}

TEST(AdaptiveSchemes, MeetObstaclesThatNoStageMeets) {
  // Steps grow fivefold in free flight, and could pass through a thin disc.
  for (const double radius : {1e-2, 1e-3, 1e-4}) {
    const ModalModel model =
        test::bouncer({.mass = 1.0}, Curved{Disc{.radius = radius}}, {.stiffness = 1e9}).build();
    for (const std::string_view scheme : toleranceSchemes()) {
      const Outcome run = runModel(model, scheme, test::stateOf(-0.1, 1.0), {.end = 0.3, .step = 1e-3});
      EXPECT_EQ(run.report.status, RunStatus::complete) << scheme;
      EXPECT_NEAR(run.state.v[0], -1.0, 1e-5) << scheme << " radius " << radius;
      EXPECT_EQ(run.report.events, 2) << scheme;
    }
  }
}

TEST(AdaptiveCentral, FollowsAnEarlySlip) {
  // From rest the apparent frequency is low at first; the upper bound keeps the step short.
  const Outcome run =
      runModel(test::sdnd106().build(), "adaptive_central", State(2), {.end = 0.34, .step = 1e-4});
  ASSERT_EQ(run.seen.times(EventKind::stickToSlip).size(), 1U);
  EXPECT_NEAR(run.seen.times(EventKind::stickToSlip)[0], 0.03512943568700869, 5e-5);
  EXPECT_LT(run.report.energyError, 1e-3);
}

}  // namespace
}  // namespace ricochet
