// Modes sorted by planes that no row couples: the sorted order, and equal results of runs with and without
// sorting.

#include "engine/event/series/mode_planes.hpp"

#include "engine/event/chebyshev/formula_batch.hpp"
#include "engine/event/event_run.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/short_runs.hpp"
#include "verification/support/swung_tube.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

using test::modelOfSwungTube;
using test::ModelParts;
using test::Outcome;
using test::withBendingPlanesCoupled;

State stateOfDistinctValues(Eigen::Index modes) {
  State s(modes);
  s.time = 3.0;
  for (Eigen::Index j = 0; j < modes; ++j) {
    s.q[j] = 1.0 + static_cast<double>(j);
    s.v[j] = 1000.0 + static_cast<double>(j);
    s.a[j] = -1.0 - static_cast<double>(j);
  }
  return s;
}

TEST(ModePlanes, AreThoseInWhichATubeBends) {
  const ModalModel model = modelOfSwungTube(50, 4).build();
  const ModePlanes planes(model);
  ASSERT_TRUE(planes.isSorted());
  ASSERT_EQ(planes.planes().size(), 2U);
  EXPECT_EQ(planes.size(), 64);  // 25 modes and 7 of padding, twice
  EXPECT_EQ(planes.planes()[0], (ModePlane{0, 32}));
  EXPECT_EQ(planes.planes()[1], (ModePlane{32, 32}));
  // The frequencies of a plane increase, and its padding repeats the last frequency.
  for (const ModePlane& plane : planes.planes())
    for (Eigen::Index j = plane.begin + 1; j < plane.end(); ++j)
      EXPECT_GE(planes.linearSystem().omegaSquared[j], planes.linearSystem().omegaSquared[j - 1]) << j;
  EXPECT_EQ(planes.linearSystem().omegaSquared[31], planes.linearSystem().omegaSquared[24]);

  const State natural = stateOfDistinctValues(50);
  State sorted(planes.size()), back(50);
  planes.sortModesOfState(natural, sorted);
  planes.restoreModeOrder(sorted, back);
  EXPECT_EQ(back.time, natural.time);
  EXPECT_EQ(back.q, natural.q);
  EXPECT_EQ(back.v, natural.v);
  EXPECT_EQ(back.a, natural.a);
  EXPECT_TRUE(sorted.q.segment(25, 7).isZero(0.0));

  // A row gives the same displacement in both orders, and is zero outside its plane.
  int seen = 0;
  for (int i = 0; i < model.contacts.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double* row = model.contacts.row(i, axis);
      if (row == nullptr) continue;
      const double* own = planes.sortedRow(row);
      const Eigen::Map<const Vector> before(row, natural.q.size()), after(own, planes.size());
      EXPECT_NEAR(after.dot(sorted.q), before.dot(natural.q), 1e-13 * before.norm() * natural.q.norm());
      const std::size_t plane = planes.planeNumberOfRow(own);
      EXPECT_TRUE(after.segment(planes.planes()[1 - plane].begin, 32).isZero(0.0)) << i << axis;
      EXPECT_FALSE(after.isZero(0.0));
      const Vector copy = after;  // a row that a contact has computed
      EXPECT_EQ(planes.planeNumberOfRow(copy.data()), plane);
      ++seen;
    }
  EXPECT_GE(seen, 8);
  EXPECT_EQ(planes.sortedRow(nullptr), nullptr);
}

TEST(ModePlanes, StayAsTheyAreWhereSomethingConnectsThem) {
  EXPECT_FALSE(ModePlanes(withBendingPlanesCoupled(modelOfSwungTube(50, 4)).build()).isSorted());
  EXPECT_FALSE(ModePlanes(modelOfSwungTube(20, 4).build()).isSorted());  // too few modes for a gain
  ModelParts coupled = modelOfSwungTube(50, 4);
  Matrix damping = 2.0 * Matrix::Identity(50, 50);
  damping(3, 8) = damping(8, 3) = 0.1;
  coupled.linear = LinearSystem(Vector(coupled.linear.omegaSquared.head(50)), damping, false);
  EXPECT_FALSE(ModePlanes(coupled.build()).isSorted());
  const ModalModel model = withBendingPlanesCoupled(modelOfSwungTube(50, 4)).build();
  const ModePlanes planes(model);
  EXPECT_EQ(planes.size(), model.linear.omegaSquared.size());
  EXPECT_EQ(planes.sortedRow(model.contacts.row(0, 0)), model.contacts.row(0, 0));
}

class SortedRuns : public testing::TestWithParam<Propagator> {};

/// A load that is zero changes only the order of the sums over modes.
TEST_P(SortedRuns, ShowWhatOthersShow) {
  constexpr double kEnd = 0.05;
  TransientOptions options;
  options.end = kEnd;
  options.step = 1.0;
  options.archiveEvery = 1;
  options.instants = {0.0, 0.011, 0.023, kEnd};
  options.scheme.propagator = GetParam();
  options.scheme.eventRelativeTolerance = 1e-12;
  const ModelParts parts = modelOfSwungTube(60, 10);
  State initial(60);
  for (Eigen::Index j = 0; j < 60; ++j) initial.v[j] = 0.01 / (1.0 + static_cast<double>(j));
  const Outcome sorted = test::runModel(parts.build(), kEventScheme, initial, options);
  const Outcome plain =
      test::runModel(withBendingPlanesCoupled(parts).build(), kEventScheme, initial, options);
  ASSERT_EQ(sorted.report.status, RunStatus::complete);
  ASSERT_EQ(plain.report.status, RunStatus::complete);
  EXPECT_GT(sorted.report.events, 10);
  EXPECT_EQ(sorted.report.events, plain.report.events);
  EXPECT_LT(sorted.report.energyError, 1e-10);
  const auto agree = [](const State& a, const State& b) {
    ASSERT_EQ(a.q.size(), b.q.size());
    EXPECT_EQ(a.time, b.time);
    EXPECT_LE((a.q - b.q).norm(), 1e-8 * b.q.norm()) << a.time;
    EXPECT_LE((a.v - b.v).norm(), 1e-8 * b.v.norm()) << a.time;
    EXPECT_LE((a.a - b.a).norm(), 1e-7 * (b.a.norm() + b.v.norm())) << a.time;
  };
  ASSERT_EQ(sorted.seen.shown.size(), options.instants.size());
  ASSERT_EQ(plain.seen.shown.size(), options.instants.size());
  for (std::size_t i = 0; i < options.instants.size(); ++i) {
    const test::Recorder::Row &a = sorted.seen.shown[i].second, &b = plain.seen.shown[i].second;
    agree(a.state, b.state);
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    for (std::size_t c = 0; c < a.contacts.size(); ++c) {
      EXPECT_NEAR(a.contacts[c].gap, b.contacts[c].gap, 1e-11) << i << " " << c;
      EXPECT_NEAR(a.contacts[c].normalForce, b.contacts[c].normalForce, 1e-5) << i << " " << c;
    }
    EXPECT_NEAR(a.ledger.kinetic, b.ledger.kinetic, 1e-8 * b.ledger.kinetic) << i;
    EXPECT_NEAR(a.ledger.elastic, b.ledger.elastic, 1e-8 * (b.ledger.kinetic + b.ledger.elastic)) << i;
  }
  EXPECT_EQ(sorted.seen.rows.front().state.v, initial.v);  // the order of the model, from the first row on
  EXPECT_EQ(sorted.seen.rows.back().state.q, sorted.state.q);
  EXPECT_EQ(sorted.seen.rows.back().state.time, kEnd);
}

TEST(ModePlanes, TellRoundSupportsWhatTheModelTellsThem) {
  ModelParts parts =
      test::tube({.modes = 60, .stations = test::positionsOfTubeSlots(4), .round = true, .loadsTo = 1e-4});
  parts.loads = modelOfSwungTube(60, 4).loads;
  TransientOptions options;
  options.end = 0.03;
  options.step = 1.0;
  options.archiveEvery = 1 << 30;
  options.scheme.eventRelativeTolerance = 1e-12;
  ASSERT_TRUE(ModePlanes(parts.build()).isSorted());
  const Outcome sorted = test::runModel(parts.build(), kEventScheme, State(60), options);
  const Outcome plain =
      test::runModel(withBendingPlanesCoupled(parts).build(), kEventScheme, State(60), options);
  ASSERT_EQ(sorted.report.status, RunStatus::complete);
  EXPECT_GT(sorted.report.events, 2);
  EXPECT_EQ(sorted.report.events, plain.report.events);
  EXPECT_LT((sorted.state.v - plain.state.v).norm(), 1e-8 * plain.state.v.norm());
}

/// Infinite values that a failed run left between the planes have no effect on the next run.
TEST(ModePlanes, BeginEveryRunAnew) {
  const ModalModel model = modelOfSwungTube(50, 4).build();
  ModalEquation equation(model);
  State state(50);
  TransientOptions options;
  options.end = 0.02;
  options.step = 1.0;
  options.archiveEvery = 1 << 30;
  test::Recorder recorder;
  EventRun run(equation, state, options, recorder);
  const auto runFrom = [&](double speed) {
    state = State(50);
    state.v[3] = speed;
    return run.run().status;
  };
  ASSERT_EQ(runFrom(0.1), RunStatus::complete);
  const State fresh = state;
  EXPECT_EQ(runFrom(1e300), RunStatus::diverged);  // infinite forces times rows that are zero there
  ASSERT_EQ(runFrom(0.1), RunStatus::complete);
  EXPECT_EQ(state.q, fresh.q);
  EXPECT_EQ(state.v, fresh.v);
}

INSTANTIATE_TEST_SUITE_P(Propagators, SortedRuns, testing::Values(Propagator::taylor, Propagator::chebyshev));

// ---- formulas at several instants

Instants from(double first, double step) {
  std::array<double, Instants::kCount> times;
  for (std::size_t i = 0; i < times.size(); ++i) times.at(i) = first + step * static_cast<double>(i);
  return Instants(times);
}

TEST(Instants, GiveWhatAFormulaGivesAtEach) {
  const Instants times = from(-0.6, 0.13);
  for (const char* text : {"3*sin(2*pi*13*t + 0.2) - t/7", "cos(40*t)*exp(-t)^2", "t^3 - 2/(t + 3)",
                           "sin(1e7*t)", "2.5", "sqrt(abs(t))*sign(t)", "if(t < 0.3, atan2(t, 2), 5 - t)",
                           "min(t, 0.4) + max(t, 0.1)", "tan(t) + asin(t/2) + acos(t/2) + atan(t)",
                           "sinh(t)*cosh(t) + tanh(t)", "log(t + 2) + log10(t + 2)", "(t + 2)^(t/3) - -t"}) {
    const TimeFunction function = test::formula(text);
    const Instants values = formulaValuesAtInstants(*function.formulaOrNull(), times);
    for (std::size_t i = 0; i < Instants::kCount; ++i)
      EXPECT_NEAR(values.values().at(i), function.at(times.values().at(i)), 1e-14) << text << " " << i;
  }
}

}  // namespace
}  // namespace ricochet
