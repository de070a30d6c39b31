// One EventRun for many runs: each run equals the first, and later runs allocate no memory.

#include "engine/event/event_run.hpp"
#include "engine/functions/formula.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>

namespace ricochet {
namespace {

/// A run that can be repeated from any state.
class Repeatable {
 public:
  Repeatable(const test::ModelParts& parts, double end, Propagator propagator)
      : model_(parts.build()), options_{.end = end, .step = end, .archiveEvery = 1 << 30} {
    options_.scheme.propagator = propagator;
  }
  Repeatable(const Repeatable&) = delete;  // the equation points to the model
  Repeatable& operator=(const Repeatable&) = delete;

  test::Outcome from(const State& initial) {
    state_ = initial;
    observer_ = {};
    const Report report = run_.run();
    return {report, observer_, state_};
  }
  State remainingBytes() const { return State(model_.linear.modes); }
  State moving() const {
    State s = remainingBytes();
    s.v.head(model_.linear.modes).setConstant(0.3);
    return s;
  }
  long allocations() {
    state_ = remainingBytes();
    const test::AllocationCounter counter;
    quietly_.run();
    return counter.count();
  }

 private:
  struct Quiet : TransientObserver {
    void archive(const StepView&) override {}
  };
  ModalModel model_;
  TransientOptions options_;
  ModalEquation equation_{model_};
  State state_{model_.linear.modes};
  test::Recorder observer_;
  Quiet quiet_;
  EventRun run_{equation_, state_, options_, observer_};
  EventRun quietly_{equation_, state_, options_, quiet_};
};

test::ModelParts shoe() {
  test::ModelParts parts = test::sdnd106();
  parts.contacts[0].friction = Coulomb{0.3, 0.2};
  return parts;
}

test::ModelParts tube() {
  return test::tube({.modes = 20, .stations = test::positionsOfTubeSlots(4), .loadsTo = 0.1});
}

/// The same model with one formula as load, so that no piece of a table ends a step.
test::ModelParts formulaTube() {
  test::ModelParts parts = tube();
  constexpr std::array<std::string_view, 1> kTime{"t"};
  parts.loads.resize(1);
  parts.loads[0].scale = TimeFunction::formula(Formula::parse("40*sin(2*pi*13*t)", kTime));
  return parts;
}

/// A bouncing mass whose contact force vanishes during penetration.
test::ModelParts damped() {
  return test::bouncer({.mass = 2.0, .stiffness = 800.0}, Slot{1e-4}, {.stiffness = 2e5, .damping = 100.0});
}

struct Model {
  test::ModelParts (*parts)();
  double end;
  Propagator propagator{Propagator::taylor};
};

class EventRepeat : public testing::TestWithParam<Model> {};

TEST_P(EventRepeat, GivesTheSameBitsWhateverRanBefore) {
  const auto& [parts, end, propagator] = GetParam();
  Repeatable fresh(parts(), end, propagator);
  const test::Outcome expected = fresh.from(fresh.remainingBytes());
  Repeatable used(parts(), end, propagator);
  used.from(used.moving());
  const test::Outcome found = used.from(used.remainingBytes());

  EXPECT_EQ(expected.report.status, RunStatus::complete);
  EXPECT_EQ(found.state.q, expected.state.q);
  EXPECT_EQ(found.state.v, expected.state.v);
  EXPECT_EQ(found.report.steps, expected.report.steps);
  EXPECT_EQ(found.report.energyError, expected.report.energyError);
  EXPECT_EQ(found.report.energy.friction, expected.report.energy.friction);
  ASSERT_EQ(found.seen.all.size(), expected.seen.all.size());
  for (std::size_t i = 0; i < found.seen.all.size(); ++i)
    EXPECT_EQ(found.seen.all[i].time, expected.seen.all[i].time) << i;
}

TEST_P(EventRepeat, TakesNoMemory) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  Repeatable run(GetParam().parts(), GetParam().end, GetParam().propagator);
  run.allocations();
  EXPECT_EQ(run.allocations(), 0);
}

INSTANTIATE_TEST_SUITE_P(Models, EventRepeat,
                         testing::Values(Model{&shoe, 0.34}, Model{&damped, 0.5}, Model{&tube, 0.01},
                                         Model{&formulaTube, 0.05, Propagator::chebyshev}));

/// A run whose observer needs no rows makes none, and is the same otherwise.
TEST(EventRows, ARunWithoutThemIsTheSame) {
  struct Rowless : TransientObserver {
    void archive(const StepView&) override { ++rows; }
    bool needsRowOfEveryStep() const noexcept override { return false; }
    int rows{0};
  };
  const ModalModel model = shoe().build();
  ModalEquation equation(model);
  const TransientOptions options{.end = 0.34, .step = 1.0, .archiveEvery = 1 << 30};
  State with(2), without(2);
  test::Recorder recorder;
  const Report full = EventRun(equation, with, options, recorder).run();
  Rowless rowless;
  const Report bare = EventRun(equation, without, options, rowless).run();
  EXPECT_EQ(rowless.rows, 0);
  EXPECT_EQ(bare.steps, full.steps);
  EXPECT_EQ(bare.events, full.events);
  EXPECT_NEAR(bare.energyError, full.energyError, 1e-14);
  EXPECT_EQ(with.q, without.q);
  EXPECT_EQ(with.v, without.v);
}

}  // namespace
}  // namespace ricochet
