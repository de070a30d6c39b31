// Contact areas in modal and physical coordinates, and a loop without heap allocations.

#include "engine/schemes/integrators.hpp"
#include "engine/study/direct.hpp"
#include "engine/study/run_transient.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/recorder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

/// Two bodies on springs, both pressed on a plane. An alternating force and moment act on the outer body: its
/// area sticks, slides and spins, as does the bristle area under the inner body.
std::string twoBodies(double step, double duration) {
  return fmt::format(R"deck(
nodes = [ {{ name = "root", position = [0, 0, 0] }}, {{ name = "middle", position = [0.5, 0, 0] }},
          {{ name = "tip", position = [1, 0, 0] }} ]
masses = [ {{ nodes = ["tip"], mass = 1.0, inertia = [0.01, 0.01, 0.01, 0, 0, 0] }},
           {{ nodes = ["middle"], mass = 2.0, inertia = [0.02, 0.02, 0.02, 0, 0, 0] }} ]
springs = [ {{ nodes = ["root", "middle"], stiffness = [4e4, 2e4, 1e4, 300, 400, 500] }},
            {{ nodes = ["middle", "tip"], stiffness = [4e4, 2e4, 1e4, 300, 400, 500] }} ]
[[supports]]
nodes = ["root"]
fixed = ["ux", "uy", "uz", "rx", "ry", "rz"]
[functions.sine]
formula = "sin(2*pi*9*t)"
[[loads]]
nodes = ["tip"]
force = [0, 0, -120.0]
[[loads]]
nodes = ["tip"]
force = [0, 90.0, 0]
moment = [0, 0, 8.0]
scale = "sine"
[[loads]]
nodes = ["middle"]
force = [0, 0, -150.0]
[[contacts]]
name = "sole"
node = "tip"
obstacle = {{ type = "plane", normal = [0, 0, 1], gap = 0.0 }}
normal = {{ stiffness = 1e6, damping = 30.0 }}
friction = {{ law = "patch", static = 0.3, dynamic = 0.25, stiffness = 2e5, damping = "critical", patch = {{ shape = "disc", radius = 0.05 }}, model = "exact" }}
[[contacts]]
name = "pad"
node = "middle"
obstacle = {{ type = "plane", normal = [0, 0, 1], gap = 0.0 }}
normal = {{ stiffness = 1e6 }}
friction = {{ law = "patch", coefficient = 0.2, stiffness = 1e5, damping = 20.0, patch = {{ shape = "rectangle", half_sides = [0.03, 0.02] }}, bristles = [4, 12] }}
[basis]
all = true
[transient]
duration = {1}
[direct]
scheme = "newmark"
step = {0}
)deck",
                     step, duration);
}

struct AreaOutcome {
  Report report;
  test::Recorder seen;
  Vector tip;  // all six displacements of the node
};

AreaOutcome areaOutcomeOf(const Simulation& simulation, std::string_view scheme, double step, double end) {
  AreaOutcome outcome;
  State state = simulation.initial;
  const TransientOptions options{.end = end, .step = step, .archiveEvery = 50};
  if (simulation.mode == Mode::direct) {
    DirectEquation equation(simulation.direct);
    outcome.report = run(scheme, equation, state, options, outcome.seen);
  } else {
    ModalEquation equation(simulation.model);
    outcome.report = run(scheme, equation, state, options, outcome.seen);
  }
  outcome.tip = Vector::Zero(6);
  for (int c = 0; c < 6; ++c) {
    const Eigen::RowVectorXd row = simulation.row({NodeIndex{2}, componentOfIndex(c)});
    outcome.tip[c] = row.dot(state.q.head(row.size()));
  }
  return outcome;
}

TEST(PatchModes, DirectIsTheModalModeOfACompleteBasis) {
  // The same scheme and step on the same equation differ by rounding only.
  constexpr double kOften = 2e-5, kEnd = 0.12;
  const Deck study = test::studyOf(twoBodies(kOften, kEnd));
  const auto modal = prepare(study);
  const auto direct = prepareDirectSimulation(study);
  ASSERT_EQ(modal->basis.size(), 12);
  for (const std::string_view scheme : {"newmark", "hht"}) {
    const AreaOutcome a = areaOutcomeOf(*modal, scheme, kOften, kEnd);
    const AreaOutcome b = areaOutcomeOf(*direct, scheme, kOften, kEnd);
    ASSERT_EQ(a.report.status, RunStatus::complete) << scheme;
    ASSERT_EQ(b.report.status, RunStatus::complete) << scheme;
    EXPECT_EQ(a.report.events, b.report.events) << scheme;
    EXPECT_GE(a.seen.times(EventKind::stickToSlip).size(), 3U) << scheme;
    EXPECT_GE(a.seen.times(EventKind::slipToStick).size(), 2U) << scheme;
    EXPECT_GT(a.report.energy.friction, 0.1 * a.report.energy.external) << scheme;
    EXPECT_LT((a.tip - b.tip).norm(), 1e-9 * a.tip.norm()) << scheme;
    EXPECT_NEAR(b.report.energy.friction, a.report.energy.friction, 1e-9 * a.report.energy.external);
    EXPECT_NEAR(b.report.energy.damping, a.report.energy.damping, 1e-9 * a.report.energy.external);
    EXPECT_LT(b.report.energyError, 1e-3) << scheme;
    double largest = 0.0, apart = 0.0;
    for (std::size_t i = 0; i < a.seen.rows.size(); ++i)
      for (std::size_t k = 0; k < 2; ++k) {
        const double moment = a.seen.rows[i].contacts[k].spinMoment;
        largest = std::max(largest, std::abs(moment));
        apart = std::max(apart, std::abs(moment - b.seen.rows[i].contacts[k].spinMoment));
      }
    EXPECT_GT(largest, 0.1) << scheme;  // N m
    EXPECT_LT(apart, 1e-7 * largest) << scheme;
  }
}

/// Observer that records nothing.
class Witness : public TransientObserver {
  void archive(const StepView&) override {}
};

/// Number of heap allocations of a run.
template <class Equation, class Model>
long allocationsOf(const Model& model, const State& initial, std::string_view scheme, double end) {
  Equation equation(model);
  State state = initial;
  Witness seen;
  const test::AllocationCounter allocations;
  const Report report =
      run(scheme, equation, state, {.end = end, .step = 5e-6, .archiveEvery = 1000000}, seen);
  EXPECT_EQ(report.status, RunStatus::complete) << scheme;
  return allocations.count();
}

TEST(PatchModes, StepsDoNotAllocate) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const Deck study = test::studyOf(twoBodies(5e-6, 0.08));
  const auto modal = prepare(study);
  const auto direct = prepareDirectSimulation(study);
  Integrators::forEach([&]<class I>() {
    if constexpr (!kOwnsContacts<I>) {
      const auto count = [&](double end) {
        return allocationsOf<ModalEquation>(modal->model, modal->initial, I::keyword, end);
      };
      EXPECT_EQ(count(0.08), count(0.05)) << I::keyword;
    }
  });
  const auto count = [&](double end) {
    return allocationsOf<DirectEquation>(direct->direct, direct->initial, "newmark", end);
  };
  EXPECT_EQ(count(0.08), count(0.05));
}

}  // namespace
}  // namespace ricochet
