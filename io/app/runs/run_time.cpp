#include "io/app/runs/run_time.hpp"

#include "engine/study/with_equation.hpp"
#include "io/prepare/run_options.hpp"
#include "io/result/archive_size.hpp"

#include <chrono>

namespace ricochet {
namespace {

/// Stops a run after a given wall time.
class Stopwatch : public TransientObserver {
 public:
  void archive(const StepView& /*view*/) override {}
  bool onProgress(double /*time*/, long long /*steps*/) override {
    constexpr double kLongEnough = 0.03;  // wall time of the trial run [s]
    return elapsedTime() < kLongEnough;
  }
  double elapsedTime() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_{std::chrono::steady_clock::now()};
};

}  // namespace

std::optional<double> estimatedWallTime(const Deck& deck, const Simulation& simulation) {
  constexpr double kWritten = 350.0;  // rate of writing rows with checksums [MB/s]
  State state = simulation.initial;
  TransientOptions options = transientOptionsOf(deck, simulation, {});
  options.archiveEvery = 1;
  Stopwatch watch;
  const Report report = callWithEquationOfMotion(
      simulation, [&](auto& equation) { return run(simulation.scheme, equation, state, options, watch); });
  const double done = (report.time - options.start) / (options.end - options.start);
  if (report.status != RunStatus::interrupted || !(done > 0.0)) return std::nullopt;
  const double steps = static_cast<double>(report.steps) / done;
  return watch.elapsedTime() / done +
         estimateArchiveSizeOfSteps(deck, simulation, steps).megabytes() / kWritten;
}

}  // namespace ricochet
