// Whole runs of the event scheme: time and error together. The times of other codes for SDND106 are in
// peers/.

#include "engine/study/run_transient.hpp"
#include "verification/benchmarks/relative_time.hpp"
#include "verification/benchmarks/shoe_run.hpp"
#include "verification/support/models.hpp"
#include "verification/support/swung_tube.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

void shoe(benchmark::State& bench) {
  test::ShoeRun run;
  Report report;
  for (auto _ : bench) benchmark::DoNotOptimize(report = run());
  bench.counters["error"] = run.error();
  bench.counters["steps"] = static_cast<double>(report.steps);
  bench.counters["events"] = static_cast<double>(report.events);
}
BENCHMARK(shoe)->Name("sdnd106/event")->Unit(benchmark::kMicrosecond);

/// The same run with the extremes of two velocities, as outputs of a batch. `times_bare`: time over that of
/// the run without them.
void shoeWithExtremes(benchmark::State& bench) {
  test::ShoeRun bare, followed(true);
  for (auto _ : bench) benchmark::DoNotOptimize(followed());
  bench.counters["times_bare"] = test::relativeTime(followed, bare);
}
BENCHMARK(shoeWithExtremes)->Name("sdnd106/event_extremes")->Unit(benchmark::kMicrosecond);

constexpr double kEnd = 0.1;  // duration of the run of the tube [s]

/// A run of one scheme that can be repeated.
class Repeated {
 public:
  Repeated(const test::ModelParts& parts, std::string_view scheme, double step, double tolerance = 1e-12,
           Propagator propagator = Propagator::automatic)
      : model_(parts.build()), equation_(model_), scheme_(scheme), state_(model_.linear.modes) {
    options_.step = step;
    options_.scheme.eventRelativeTolerance = tolerance;
    options_.scheme.propagator = propagator;
  }
  Repeated(const Repeated&) = delete;  // the equation points to the model
  Repeated& operator=(const Repeated&) = delete;

  const Report& operator()() {
    state_ = State(model_.linear.modes);
    report_ = run(scheme_, equation_, state_, options_, observer_);
    return report_;
  }
  const Report& report() const { return report_; }

  /// Difference from another run in the energy norm, relative to the energy norm of the other run.
  double errorAgainst(const Repeated& exact) const {
    const auto square = [&](const Vector& q, const Vector& v) {
      return v.squaredNorm() + q.dot(model_.linear.omegaSquared.cwiseProduct(q));
    };
    return std::sqrt(square(state_.q - exact.state_.q, state_.v - exact.state_.v) /
                     square(exact.state_.q, exact.state_.v));
  }

 private:
  ModalModel model_;
  ModalEquation equation_;
  std::string_view scheme_;
  State state_;
  TransientOptions options_{.end = kEnd, .archiveEvery = 1 << 30};
  test::QuietObserver observer_;
  Report report_;
};

void measure(benchmark::State& bench, Repeated& run) {
  for (auto _ : bench) benchmark::DoNotOptimize(run());
  bench.counters["steps"] = static_cast<double>(run.report().steps);
  bench.counters["events"] = static_cast<double>(run.report().events);
}

/// The reference is `event` with a tolerance of 1e-14 on the same tube.
double errorOf(const Repeated& run, const test::ModelParts& parts) {
  Repeated exact(parts, kEventScheme, 1.0, 1e-14, Propagator::taylor);
  exact();
  return run.errorAgainst(exact);
}

/// Arguments: modes, contacts, digits of the tolerance.
void tubeEvent(benchmark::State& bench) {
  const auto modes = static_cast<int>(bench.range(0));
  const auto contacts = static_cast<int>(bench.range(1));
  const test::ModelParts parts = test::modelOfSwungTube(modes, contacts);
  Repeated run(parts, kEventScheme, 1.0, std::pow(10.0, -static_cast<double>(bench.range(2))));
  measure(bench, run);
  bench.counters["error"] = errorOf(run, parts);
}
BENCHMARK(tubeEvent)
    ->Name("tube/event")
    ->ArgNames({"m", "c", "digits"})
    ->ArgsProduct({{20}, {4}, {5, 8, 12, 14}})
    ->ArgsProduct({{50}, {10}, {5, 8, 12, 14}})
    ->Unit(benchmark::kMicrosecond);

/// The explicit scheme with steps of 1e-5 s and loads in tables of the same step. `event_faster`: time of
/// this run over the time of `event` at 1e-12.
void tubeCentralDifference(benchmark::State& bench) {
  constexpr double kStep = 1e-5;  // [s]
  const auto modes = static_cast<int>(bench.range(0));
  const auto contacts = static_cast<int>(bench.range(1));
  const test::TubeData data{
      .modes = modes, .stations = test::positionsOfTubeSlots(contacts), .loadsTo = kEnd};
  Repeated run(test::tube(data), "central_difference", kStep);
  measure(bench, run);
  const test::ModelParts parts = test::modelOfSwungTube(modes, contacts);
  Repeated event(parts, kEventScheme, 1.0);
  bench.counters["error"] = errorOf(run, parts);
  bench.counters["event_faster"] = test::relativeTime(run, event);
}
BENCHMARK(tubeCentralDifference)
    ->Name("tube/central_difference")
    ->ArgNames({"m", "c"})
    ->Args({20, 4})
    ->Args({50, 10})
    ->Unit(benchmark::kMicrosecond);

/// The event scheme with many modes, compared with the explicit scheme. Arguments: modes, contacts, loads,
/// digits of the tolerance. Counters are times over the time of the measured run: of the explicit scheme at
/// 1e-5 s, and of either propagator alone. `missed`: difference in the number of events from the exact run.
void timeTubeOfManyModes(benchmark::State& bench) {
  constexpr double kStep = 1e-5;  // [s]
  const auto modes = static_cast<int>(bench.range(0));
  const auto contacts = static_cast<int>(bench.range(1));
  const auto loads = static_cast<std::size_t>(bench.range(2));
  const double tolerance = std::pow(10.0, -static_cast<double>(bench.range(3)));
  const test::ModelParts parts = test::modelOfSwungTube(modes, contacts, loads);
  Repeated chosen(parts, kEventScheme, 1.0, tolerance);
  measure(bench, chosen);
  Repeated exact(parts, kEventScheme, 1.0, 1e-14, Propagator::taylor);
  exact();
  Repeated taylor(parts, kEventScheme, 1.0, tolerance, Propagator::taylor);
  Repeated chebyshev(parts, kEventScheme, 1.0, tolerance, Propagator::chebyshev);
  test::ModelParts tabulated =
      test::tube({.modes = modes, .stations = test::positionsOfTubeSlots(contacts), .loadsTo = kEnd});
  tabulated.loads.resize(loads);
  Repeated explicitRun(tabulated, "central_difference", kStep);
  bench.counters["cd"] = test::relativeTime(explicitRun, chosen);
  bench.counters["taylor"] = test::relativeTime(taylor, chosen);
  bench.counters["chebyshev"] = test::relativeTime(chebyshev, chosen);
  bench.counters["error"] = chosen.errorAgainst(exact);
  bench.counters["error_t"] = taylor.errorAgainst(exact);
  bench.counters["error_c"] = chebyshev.errorAgainst(exact);
  bench.counters["error_cd"] = explicitRun.errorAgainst(exact);
  bench.counters["steps_t"] = static_cast<double>(taylor.report().steps);
  bench.counters["steps_c"] = static_cast<double>(chebyshev.report().steps);
  bench.counters["missed"] = static_cast<double>(chebyshev.report().events - exact.report().events);
  bench.counters["ledger_c"] = chebyshev.report().energyError;
}
BENCHMARK(timeTubeOfManyModes)
    ->Name("tube/event_many_modes")
    ->ArgNames({"m", "c", "loads", "digits"})
    ->ArgsProduct({{20, 50, 100, 200}, {4, 10, 40}, {2, 4}, {9}})
    ->Unit(benchmark::kMicrosecond);

/// The tube with 20 modes and 4 slots under the first two loads; stiffness of its contacts [N/m].
test::ModelParts stiffTube(double stiffness) {
  test::ModelParts parts = test::modelOfSwungTube(20, 4, 2);
  for (Contact& contact : parts.contacts) {
    contact.normal = LinearPenalty{.stiffness = stiffness};
    contact.friction = RegularisedCoulomb{.muStatic = 0.2, .muDynamic = 0.2, .stiffness = stiffness / 10.0};
  }
  return parts;
}

/// Argument: digits of the contact stiffness. `times_soft`: time over the time with 1e6 N/m.
void tubeStiffness(benchmark::State& bench) {
  const test::ModelParts parts = stiffTube(std::pow(10.0, static_cast<double>(bench.range(0))));
  Repeated run(parts, kEventScheme, 1.0);
  measure(bench, run);
  Repeated soft(stiffTube(1e6), kEventScheme, 1.0);
  bench.counters["error"] = errorOf(run, parts);
  bench.counters["times_soft"] = test::relativeTime(run, soft);
}
BENCHMARK(tubeStiffness)
    ->Name("tube/event_stiffness")
    ->ArgName("kn_digits")
    ->Arg(6)
    ->Arg(8)
    ->Arg(10)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ricochet
