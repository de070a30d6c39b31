// Variants in lanes against the same variants one by one: whole runs of explicit schemes with events, ledger
// and totals. The time per item is the time of one step of one variant. Argument `groups`: number of groups
// of eight lanes, 0 for runs one by one.

#include "engine/lanes/lane_run.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/transient_loop.hpp"
#include "verification/support/study.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

namespace ricochet {
namespace {

class Unseen : public TransientObserver {
 public:
  void archive(const StepView&) override {}
};

/// Variants are built once, and every run starts from their initial states.
class Variants : public batch::LaneFeed {
 public:
  explicit Variants(std::vector<test::ModelParts> parts) {
    for (const test::ModelParts& each : parts) {
      models_.push_back(std::make_unique<ModalModel>(each.build()));
      equations_.push_back(std::make_unique<ModalEquation>(*models_.back()));
      states_.emplace_back(each.linear.modes);
    }
  }
  const ModalModel& base() const { return *models_.front(); }

  void runInLanes(batch::LaneRun& lanes) {
    next_ = 0;
    lanes.run(*this);
  }
  /// Runs as `run` does; the breakpoints, four per step of the tube, are collected once for all variants.
  template <class I>
  void byThemselves(const TransientOptions& options, const std::shared_ptr<const TransientGrid>& grid) {
    batch::LaneCase variant;
    next_ = 0;
    while (nextVariant(variant)) {
      I integrator = makeIntegrator<I>(variant.equation->linearSystem());
      TransientLoop<I, ModalEquation> loop(integrator, *variant.equation, *variant.state, options, unseen_,
                                           grid);
      steps += loop.run().steps;
    }
  }
  bool nextVariant(batch::LaneCase& variant) override {
    if (next_ == models_.size()) return false;
    State& state = states_[next_];
    state.q.setZero();
    state.v.setZero();
    variant = {equations_[next_++].get(), &state, &unseen_};
    return true;
  }
  void receiveReportOfVariant(const batch::LaneCase&, const Report& report) override {
    steps += report.steps;
  }

  long long steps{0};

 private:
  std::vector<std::unique_ptr<ModalModel>> models_;
  std::vector<std::unique_ptr<ModalEquation>> equations_;
  std::vector<State> states_;
  std::size_t next_{0};
  Unseen unseen_;
};

template <class I>
void measure(benchmark::State& bench, Variants& variants, const TransientOptions& options) {
  const auto groups = static_cast<std::size_t>(bench.range(0));
  if (groups == 0) {
    const auto grid = makeTransientGrid(variants.base(), options, ModalEquation::kSplitsAtKinks);
    for (auto _ : bench) variants.byThemselves<I>(options, grid);
  } else {
    batch::LaneRun lanes(I::keyword, variants.base(), options, {.groups = groups});
    for (auto _ : bench) variants.runInLanes(lanes);
  }
  bench.SetItemsProcessed(variants.steps);
  bench.counters["per_step"] = benchmark::Counter(static_cast<double>(variants.steps),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// 48 variants of SDND106 with different friction and stick stiffness, in steps of the benchmark of SDND106.
template <class I>
void laneShoes(benchmark::State& bench) {
  std::vector<test::ModelParts> parts(48, test::sdnd106());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto& law = std::get<RegularisedCoulomb>(parts[i].contacts[0].friction);
    law.muStatic = 0.25 + 0.002 * static_cast<double>(i);
    law.stiffness = 2e7;
  }
  Variants variants(std::move(parts));
  measure<I>(bench, variants, {.end = 0.34, .step = 1e-5, .archiveEvery = 1 << 30});
}
BENCHMARK_TEMPLATE(laneShoes, KickDrift)->ArgName("groups")->DenseRange(0, 3)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(laneShoes, CentralDifference)
    ->ArgName("groups")
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond);

/// 32 variants of the tube with different gaps; the loads change their slope at every step.
template <class I, int kModes, int kContacts>
void laneTubes(benchmark::State& bench) {
  constexpr double kEnd = 0.1;
  std::vector<test::ModelParts> parts(
      32, test::tube({.modes = kModes, .stations = test::positionsOfTubeSlots(kContacts), .loadsTo = kEnd}));
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (Contact& contact : parts[i].contacts) contact.obstacle = Slot{4e-4 + 1e-5 * static_cast<double>(i)};
  Variants variants(std::move(parts));
  measure<I>(bench, variants, {.end = kEnd, .step = 1e-5, .archiveEvery = 1 << 30});
}
BENCHMARK_TEMPLATE(laneTubes, KickDrift, 20, 4)
    ->ArgName("groups")
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(laneTubes, CentralDifference, 20, 4)
    ->ArgName("groups")
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(laneTubes, KickDrift, 50, 10)
    ->ArgName("groups")
    ->DenseRange(0, 2)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(laneTubes, KickDrift, 20, 40)
    ->ArgName("groups")
    ->DenseRange(0, 1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ricochet
