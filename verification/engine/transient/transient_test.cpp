#include "engine/transient/transient.hpp"

#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"
#include "engine/transient/transient_grid.hpp"
#include "verification/support/linear_reference.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::ModelParts;
using test::Outcome;
using test::runModel;
using Outside = TimeFunction::Outside;

std::vector<std::string_view> schemes() {
  std::vector<std::string_view> all;
  Integrators::forEach([&]<class I>() { all.push_back(I::keyword); });
  return all;
}
/// Schemes that keep to the grid of the nominal step.
std::vector<std::string_view> fixedStepSchemes() {
  std::vector<std::string_view> all;
  Integrators::forEach([&]<class I>() {
    if (!I::traits.adaptive) all.push_back(I::keyword);
  });
  return all;
}
/// Schemes that are unstable for too long steps.
std::vector<std::string_view> conditionallyStableSchemes() {
  const ModalModel stiff =
      test::bouncer({.mass = 1.0, .stiffness = 1.0}, Slot{0.1}, {.stiffness = 1.0}).build();
  std::vector<std::string_view> all = schemes();
  std::erase_if(all, [&](std::string_view s) { return !std::isfinite(largestSafeStep(stiff, s)); });
  return all;
}
bool isSecondOrder(std::string_view scheme) { return scheme != SymplecticEuler::keyword; }
/// True if the scheme is exact under constant loads, without contacts.
bool isExactWithoutContacts(std::string_view scheme) { return scheme == Moreau::keyword; }
bool isFourthOrder(std::string_view scheme) { return scheme == Devogelaere::keyword; }

/// A free mass of 1 kg under a force that is `before` until `jump` and `after` from then on.
ModelParts jumpingLoad(double before, double jump, double after) {
  ModelParts parts = test::oscillator({.mass = 1.0});
  const std::array times{-1.0, jump, jump, 100.0};
  const std::array values{before, before, after, after};
  parts.loads.push_back(
      {Vector::Constant(1, 1.0), TimeFunction::table(times, values, Outside::constant, Outside::constant)});
  return parts;
}

TEST(Transient, LandsOnTheEndWhenTheStepsMissIt) {
  // 0.3 + n 0.08 never equals 1: nine steps, the last one of 0.06.
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1.0}).build();
  for (const std::string_view scheme : fixedStepSchemes()) {
    const Outcome run =
        runModel(model, scheme, test::stateOf(1.0, 0.0), {.start = 0.3, .end = 1.0, .step = 0.08});
    EXPECT_EQ(run.report.status, RunStatus::complete);
    EXPECT_EQ(run.report.steps, 9);
    EXPECT_EQ(run.report.time, 1.0);
    EXPECT_EQ(run.state.time, 1.0);
    ASSERT_EQ(run.seen.rows.size(), 10U);
    for (int n = 0; n < 9; ++n)
      EXPECT_EQ(run.seen.rows[static_cast<std::size_t>(n)].state.time, 0.3 + n * 0.08);
    EXPECT_EQ(run.seen.rows.back().state.time, 1.0);
  }
}

TEST(Transient, ShortLastStepMovesByItsLength) {
  // v = 1 m/s, free: q = t. A last step of the nominal length would end at 1.02.
  const ModalModel model = test::oscillator({.mass = 1.0}).build();
  for (const std::string_view scheme : fixedStepSchemes()) {
    const Outcome run =
        runModel(model, scheme, test::stateOf(0.3, 1.0), {.start = 0.3, .end = 1.0, .step = 0.08});
    EXPECT_NEAR(run.state.q[0], 1.0, 1e-15) << scheme;
  }
}

TEST(Transient, TakesNoSliverWhenTheStepsMeetTheEndToRounding) {
  // 49 * (1.0 / 49) is 1 - 1.1e-16
  ASSERT_NE(49 * (1.0 / 49), 1.0);
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1.0}).build();
  for (const std::string_view scheme : fixedStepSchemes()) {
    const Outcome run = runModel(model, scheme, test::stateOf(1.0, 0.0), {.end = 1.0, .step = 1.0 / 49});
    EXPECT_EQ(run.report.steps, 49) << scheme;
    EXPECT_EQ(run.state.time, 1.0) << scheme;
  }
}

TEST(Transient, InstantsDoNotDrift) {
  // 1e5 additions of 1e-5 end 1e-12 off 1, but start + n h does not.
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1.0}).build();
  const Outcome run =
      runModel(model, "kick_drift", test::stateOf(1.0, 0.0), {.end = 2.0, .step = 1e-5, .archiveEvery = 777});
  for (std::size_t row = 0; row + 1 < run.seen.rows.size(); ++row)
    ASSERT_EQ(run.seen.rows[row].state.time, static_cast<double>(777 * row) * 1e-5);
}

TEST(Transient, ArchivesTheStartEveryNthStepAndTheEnd) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1.0}).build();
  const auto timesOf = [&](double end, int every) {
    const Outcome run = runModel(model, "kick_drift", test::stateOf(1.0, 0.0),
                                 {.end = end, .step = 0.125, .archiveEvery = every});
    std::vector<double> times;
    for (const test::Recorder::Row& row : run.seen.rows) times.push_back(row.state.time);
    return times;
  };
  EXPECT_EQ(timesOf(1.0, 3), (std::vector<double>{0.0, 0.375, 0.75, 1.0}));
  EXPECT_EQ(timesOf(0.75, 3), (std::vector<double>{0.0, 0.375, 0.75}));  // the end is not archived twice
  EXPECT_EQ(timesOf(1.0, 100), (std::vector<double>{0.0, 1.0}));
}

TEST(Transient, JumpOfALoadInsideAStepActsFromItsInstant) {
  // v = 10 (1 - t_j), q = 5 (1 - t_j)^2 exactly if the step is split at the jump; otherwise the error is at
  // most h of it.
  const double jump = 0.3037;
  const ModalModel model = jumpingLoad(0.0, jump, 10.0).build();
  for (const std::string_view scheme : fixedStepSchemes()) {
    const Outcome run = runModel(model, scheme, State(1), {.end = 1.0, .step = 0.01});
    EXPECT_NEAR(run.state.v[0], 10.0 * (1.0 - jump), 1e-12) << scheme;
    EXPECT_EQ(run.report.steps, 101) << scheme;
    if (isSecondOrder(scheme)) {
      EXPECT_NEAR(run.state.q[0], 5.0 * (1.0 - jump) * (1.0 - jump), 1e-12) << scheme;
    }
    EXPECT_EQ(run.seen.rows[50].state.time, 0.5) << scheme << ": back on the grid";
  }
}

TEST(Transient, JumpAtAGridInstantSplitsNothing) {
  const ModalModel model = jumpingLoad(0.0, 0.3, 10.0).build();
  for (const std::string_view scheme : fixedStepSchemes()) {
    const Outcome run = runModel(model, scheme, State(1), {.end = 1.0, .step = 0.01});
    EXPECT_EQ(run.report.steps, 100) << scheme;
    EXPECT_NEAR(run.state.v[0], 7.0, 1e-12) << scheme;
  }
}

TEST(Transient, LoadHasItsValueBeforeAJumpAtTheEnd) {
  const ModalModel model = jumpingLoad(2.0, 1.0, 500.0).build();
  for (const std::string_view scheme : schemes()) {
    const Outcome run = runModel(model, scheme, State(1), {.end = 1.0, .step = 0.01});
    EXPECT_NEAR(run.state.v[0], 2.0, 1e-12) << scheme;
    EXPECT_NEAR(run.seen.rows.back().state.a[0], 2.0, 1e-12) << scheme;
  }
}

TEST(Transient, LoadHasItsValueAfterAJumpAtTheStart) {
  const ModalModel model = jumpingLoad(500.0, 0.5, 2.0).build();
  for (const std::string_view scheme : schemes()) {
    const Outcome run = runModel(model, scheme, State(1), {.start = 0.5, .end = 1.0, .step = 0.01});
    EXPECT_NEAR(run.state.v[0], 1.0, 1e-12) << scheme;
    EXPECT_NEAR(run.seen.rows.front().state.a[0], 2.0, 1e-12) << scheme;
  }
}

/// Row of the run at the instant t.
const test::Recorder::Row& rowAt(const Outcome& run, double t) {
  return *std::ranges::min_element(run.seen.rows, {},
                                   [t](const auto& row) { return std::abs(row.state.time - t); });
}

TEST(Transient, WhatIsShownAtAJumpHasTheLoadAfterIt) {
  const double jump = 0.3;
  const ModalModel model = jumpingLoad(2.0, jump, 10.0).build();
  std::vector<std::string_view> all = schemes();
  all.push_back(kEventScheme);
  for (const std::string_view scheme : all) {
    SCOPED_TRACE(scheme);
    const Outcome quiet = runModel(model, scheme, State(1), {.end = 1.0, .step = 0.01});
    TransientOptions options{.end = 1.0, .step = 0.01};
    options.instants = {0.1 + 0.2, 0.25};  // the first instant equals 0.3 only within rounding
    const Outcome byStep = runModel(model, scheme, State(1), options);
    EXPECT_NEAR(rowAt(byStep, jump).state.a[0], 10.0, 1e-12);
    options.archiveTimes = {0.25, jump, 0.35};
    const Outcome byTime = runModel(model, scheme, State(1), options);
    EXPECT_NEAR(byTime.seen.rows.at(0).state.a[0], 2.0, 1e-12);
    EXPECT_NEAR(byTime.seen.rows.at(1).state.a[0], 10.0, 1e-12);
    EXPECT_NEAR(byTime.seen.rows.at(1).state.v[0], 0.6, 1e-12);
    EXPECT_NEAR(byTime.seen.shown.at(1).second.state.a[0], 10.0, 1e-12);
    EXPECT_EQ(byTime.state.q, quiet.state.q);
    EXPECT_EQ(byTime.state.v, quiet.state.v);
  }
}

TEST(Transient, WhatIsShownAtAJumpHasTheContactForceAfterIt) {
  // A body under a normal force of 8 N, then of 3 N, slides: friction of half this force against 5 N.
  ModelParts parts = jumpingLoad(5.0, 5.0, 5.0);
  const double jump = 0.3;
  const std::array times{-1.0, jump, jump, 100.0};
  const std::array forces{8.0, 8.0, 3.0, 3.0};
  Contact sole;
  sole.rows = Matrix::Zero(3, 1);
  sole.rows(1, 0) = 1.0;
  sole.normal = ImposedForce{};
  sole.imposedForce = TimeFunction::table(times, forces, Outside::constant, Outside::constant);
  sole.friction = RegularisedCoulomb{.muStatic = 0.5, .muDynamic = 0.5, .stiffness = 1e5};
  parts.contacts.push_back(sole);
  const ModalModel model = parts.build();
  std::vector<std::string_view> all = fixedStepSchemes();
  all.push_back(kEventScheme);
  std::erase(all, Moreau::keyword);  // mean force of a step
  for (const std::string_view scheme : all) {
    SCOPED_TRACE(scheme);
    TransientOptions options{.end = 1.0, .step = 0.001};
    options.archiveTimes = {0.29, jump, 0.31};
    const Outcome run = runModel(model, scheme, State(1), options);
    ASSERT_EQ(run.seen.rows.size(), 3U);
    for (int i = 0; i < 3; ++i) {
      const auto& row = run.seen.rows[static_cast<std::size_t>(i)];
      const double pressed = i == 0 ? 8.0 : 3.0;
      EXPECT_NEAR(row.contacts[0].normalForce, pressed, 1e-12) << i;
      EXPECT_NEAR(row.state.a[0], 5.0 - 0.5 * pressed, 1e-9) << i;
    }
  }
}

TEST(Transient, SecondOrderSurvivesAJumpInsideAStep) {
  // An oscillator under a step load at 0.3037 s, compared with 1 - cos; order by halving h.
  ModelParts parts = jumpingLoad(0.0, 0.3037, 100.0);
  parts.linear = LinearSystem(Vector::Constant(1, 100.0), Matrix::Zero(1, 1), true);
  const ModalModel model = parts.build();
  const auto errorWith = [&](std::string_view scheme, double h) {
    const Outcome run = runModel(model, scheme, State(1), {.end = 1.0, .step = h});
    const double phase = 10.0 * (1.0 - 0.3037);
    return std::hypot(10.0 * (run.state.q[0] - 1.0 + std::cos(phase)),
                      run.state.v[0] - 10.0 * std::sin(phase));
  };
  for (const std::string_view scheme : fixedStepSchemes()) {
    if (!isSecondOrder(scheme) || isFourthOrder(scheme)) continue;
    if (isExactWithoutContacts(scheme)) {
      EXPECT_LT(errorWith(scheme, 0.005), 1e-12);
      continue;
    }
    // the next order is smaller by a ratio of 4: omega h = 0.025
    EXPECT_NEAR(std::log2(errorWith(scheme, 0.005) / errorWith(scheme, 0.0025)), 2.0, 0.05) << scheme;
  }
}

TEST(Transient, RequestedInstantsAreInterpolatedAtTheOrderOfTheScheme) {
  ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = 40.0, .damping = 0.9});
  parts.loads.push_back({Vector::Constant(1, 3.0), TimeFunction::constant(1.0)});
  const ModalModel model = parts.build();
  const test::LinearProblem problem{.stiffness = Matrix::Constant(1, 1, 40.0),
                                    .damping = Matrix::Constant(1, 1, 0.9),
                                    .constantLoad = Vector::Constant(1, 3.0),
                                    .loadSlope = Vector::Zero(1),
                                    .q0 = Vector::Constant(1, 1.0),
                                    .v0 = Vector::Zero(1)};
  const auto errorWith = [&](std::string_view scheme, double h) {
    TransientOptions options{.end = 1.0, .step = h};
    // The jump takes all positions in a step, so that the largest errors of different steps are comparable.
    for (int i = 0; i <= 97; ++i) options.archiveTimes.push_back(i / 97.0);
    const Outcome run = runModel(model, scheme, test::stateOf(1.0, 0.0), options);
    EXPECT_EQ(run.seen.rows.size(), options.archiveTimes.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < run.seen.rows.size(); ++i) {
      const State& s = run.seen.rows[i].state;
      EXPECT_EQ(s.time, options.archiveTimes[i]);
      const test::LinearSolution exact = solveExactly(problem, s.time);
      largest = std::max(largest, std::hypot(6.3 * (s.q[0] - exact.q[0]), s.v[0] - exact.v[0]));
    }
    return largest;
  };
  for (const std::string_view scheme : fixedStepSchemes()) {
    if (isExactWithoutContacts(scheme)) {
      EXPECT_LT(errorWith(scheme, 4e-3), 1e-11);
      continue;
    }
    const double expected = isSecondOrder(scheme) ? 2.0 : 1.0;
    EXPECT_GT(std::log2(errorWith(scheme, 4e-3) / errorWith(scheme, 2e-3)), expected - 0.1) << scheme;
  }
}

TEST(Transient, ShowsInstantsInAnyOrderBesideTheArchive) {
  const ModalModel model = test::oscillator({.mass = 1.0}).build();
  TransientOptions options{.end = 1.0, .step = 0.1, .archiveEvery = 5};
  options.instants = {0.95, 0.0, 1.0, 0.33, 0.33};
  const Outcome run = runModel(model, "kick_drift", test::stateOf(0.0, 1.0), options);
  EXPECT_EQ(run.seen.rows.size(), 3U);
  ASSERT_EQ(run.seen.shown.size(), 5U);
  std::vector<bool> found(5, false);
  for (const auto& [index, row] : run.seen.shown) {
    found[index] = true;
    EXPECT_EQ(row.state.time, options.instants[index]);
    EXPECT_NEAR(row.state.q[0], options.instants[index], 1e-15);  // v = 1
  }
  EXPECT_EQ(found, std::vector<bool>(5, true));
}

TEST(Transient, RepeatsBitForBit) {
  const ModalModel model =
      test::tube({.modes = 10, .stations = test::positionsOfTubeSlots(4), .loadsTo = 0.06}).build();
  for (const std::string_view scheme : schemes()) {
    const TransientOptions options{.end = 0.06, .step = 1e-5, .archiveEvery = 500};
    const Outcome first = runModel(model, scheme, State(10), options);
    const Outcome second = runModel(model, scheme, State(10), options);
    ASSERT_EQ(first.seen.rows.size(), second.seen.rows.size());
    for (std::size_t i = 0; i < first.seen.rows.size(); ++i) {
      EXPECT_EQ(first.seen.rows[i].state.q, second.seen.rows[i].state.q) << scheme;
      EXPECT_EQ(first.seen.rows[i].state.a, second.seen.rows[i].state.a) << scheme;
      EXPECT_EQ(first.seen.rows[i].ledger.balanceResidual(), second.seen.rows[i].ledger.balanceResidual())
          << scheme;
    }
    EXPECT_GT(first.report.events, 0) << scheme;
    EXPECT_EQ(first.report.events, second.report.events) << scheme;
    EXPECT_EQ(first.report.events, static_cast<long long>(first.seen.all.size())) << scheme;
  }
}

TEST(Transient, OutputDoesNotChangeTheMotion) {
  const ModalModel model =
      test::tube({.modes = 10, .stations = test::positionsOfTubeSlots(4), .loadsTo = 0.06}).build();
  for (const std::string_view scheme : schemes()) {
    const Outcome quiet =
        runModel(model, scheme, State(10), {.end = 0.06, .step = 1e-5, .archiveEvery = 6000});
    TransientOptions chatty{.end = 0.06, .step = 1e-5, .archiveEvery = 1};
    chatty.instants = {0.0123456789, 0.0543219876};
    const Outcome loud = runModel(model, scheme, State(10), chatty);
    EXPECT_EQ(quiet.state.q, loud.state.q) << scheme;
    EXPECT_EQ(quiet.state.v, loud.state.v) << scheme;
  }
}

TEST(Transient, ReportsDivergenceAndArchivesNothingThatIsNotFinite) {
  // Two uncoupled masses; the second strikes a stop that is far too stiff for the step: omega h = 10.
  ModelParts parts;
  parts.linear = LinearSystem(Vector{{1.0, 1.0}}, Matrix::Zero(2, 2), true);
  for (const double stiffness : {1.0, 1e6})
    parts.contacts.push_back(test::contactOf(2, Slot{0.1}, LinearPenalty{.stiffness = stiffness}));
  parts.contacts[0].rows(0, 0) = 1.0;
  parts.contacts[1].rows(0, 1) = 1.0;
  const ModalModel model = parts.build();
  for (const std::string_view scheme : conditionallyStableSchemes()) {
    State initial(2);
    initial.v.head(2) << 0.2, 1.0;
    const Outcome run = runModel(model, scheme, initial, {.start = 0.5, .end = 1000.0, .step = 0.01});
    EXPECT_EQ(run.report.status, RunStatus::diverged) << scheme;
    EXPECT_EQ(run.report.contact, 1) << scheme;
    EXPECT_GE(run.report.time, 0.5) << scheme;
    EXPECT_LT(run.report.time, 1000.0) << scheme;
    EXPECT_LT(run.report.steps, 100000) << scheme;
    for (const test::Recorder::Row& row : run.seen.rows) {
      ASSERT_TRUE(row.state.q.allFinite()) << scheme;
      ASSERT_TRUE(row.state.v.allFinite()) << scheme;
    }
    for (const Event& event : run.seen.all) ASSERT_TRUE(std::isfinite(event.time)) << scheme;
  }
}

TEST(Transient, StopsWhenTheObserverSaysSo) {
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 1.0}).build();
  for (const std::string_view scheme : fixedStepSchemes()) {
    test::Recorder recorder;
    recorder.stopAfter = 1000;
    const Outcome run =
        runModel(model, scheme, test::stateOf(1.0, 0.0), {.end = 100.0, .step = 1e-3}, recorder);
    EXPECT_EQ(run.report.status, RunStatus::interrupted) << scheme;
    EXPECT_GE(run.report.steps, 1000) << scheme;
    EXPECT_LT(run.report.steps, 2000) << scheme;
    EXPECT_EQ(run.report.time, static_cast<double>(run.report.steps) * 1e-3) << scheme;
  }
}

TEST(Transient, StartsAgainWhereARunEnded) {
  // Two halves equal the whole run, because a run without contacts has no state beside the motion.
  const ModalModel model = test::oscillator({.mass = 1.0, .stiffness = 100.0, .damping = 1.0}).build();
  for (const std::string_view scheme : fixedStepSchemes()) {
    const Outcome whole = runModel(model, scheme, test::stateOf(1.0, 0.0), {.end = 1.0, .step = 1.0 / 128});
    const Outcome half = runModel(model, scheme, test::stateOf(1.0, 0.0), {.end = 0.5, .step = 1.0 / 128});
    const Outcome rest = runModel(model, scheme, half.state, {.start = 0.5, .end = 1.0, .step = 1.0 / 128});
    // Central differences start with the damping at v instead of the half step: an error of O(h^2), once.
    EXPECT_NEAR(rest.state.q[0], whole.state.q[0], 1e-4) << scheme;
  }
}

TEST(TransientGrid, CountsNoFewerStepsThanThereAre) {
  TransientOptions options;
  options.end = 1.0;
  options.step = 1e-3;
  EXPECT_EQ(nominalStepCount(options), 1000);
  options.end = 1e300;  // exceeds the largest integer
  EXPECT_GE(nominalStepCount(options), 1'000'000'000'000'000'000LL);
}

}  // namespace
}  // namespace ricochet
