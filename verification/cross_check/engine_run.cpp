#include "verification/cross_check/engine_run.hpp"

#include "engine/study/run_transient.hpp"
#include "engine/study/simulation.hpp"
#include "engine/study/with_equation.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <exception>
#include <limits>

namespace ricochet::cross {
namespace {

/// Time that the processor has spent on this thread [s]: other programs do not count.
double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Keeps the motion at the instants and the smallest gap; stops a run that takes too long.
class MotionObserver : public TransientObserver {
 public:
  MotionObserver(EngineRun& run, const RowMajorMatrix& rows, double seconds)
      : run_(run), rows_(rows), end_(threadSeconds() + seconds) {}

  void archive(const StepView& /*view*/) override {}
  void instant(std::size_t index, const StepView& view) override {
    const auto column = static_cast<Eigen::Index>(index);
    run_.positions.col(column) = rows_ * view.state.q.head(rows_.cols());
    run_.velocities.col(column) = rows_ * view.state.v.head(rows_.cols());
    run_.largestEnergy = std::max(run_.largestEnergy, view.ledger.kinetic);
    addGaps(view);
  }
  void events(std::span<const Event> events) override {
    for (const Event& event : events)
      run_.events += fmt::format("t={:.9f} c{} {}\n", event.time, event.contact,
                                 kEventNames[static_cast<std::size_t>(event.kind)]);
  }
  void within(double /*begin*/, double /*end*/, std::size_t /*index*/, const StepView& view) override {
    addGaps(view);
  }
  bool progress(double /*time*/, long long /*steps*/) override {
    late_ = late_ || threadSeconds() > end_;
    return !late_;
  }
  bool isLate() const noexcept { return late_; }

 private:
  void addGaps(const StepView& view) {
    for (const ContactView& contact : view.contacts)
      run_.smallestGap = std::min(run_.smallestGap, contact.gap);
  }

  EngineRun& run_;
  const RowMajorMatrix& rows_;
  double end_;
  bool late_{false};
};

std::vector<Dof> dofsOf(const Deck& deck, int bodies, bool planar) {
  std::vector<Dof> dofs;
  for (int b = 0; b < bodies; ++b) {
    const std::string name = fmt::format("b{}", b);
    const auto node = std::ranges::find_if(deck.nodes, [&](const auto& each) { return each.name == name; });
    for (int component = 0; component < 6; ++component)
      if (!planar || component < 2 || component == 5)
        dofs.push_back({{static_cast<int>(node - deck.nodes.begin())}, static_cast<Component>(component)});
  }
  return dofs;
}

EngineRun::Ending endingOf(RunStatus status) {
  switch (status) {
    case RunStatus::complete:
      return EngineRun::Ending::complete;
    case RunStatus::diverged:
      return EngineRun::Ending::infinite;
    case RunStatus::notConverged:
      return EngineRun::Ending::unbalanced;
    default:
      return EngineRun::Ending::stalled;
  }
}

void runPrepared(const Deck& deck, const Simulation& simulation, const std::vector<Dof>& dofs,
                 const std::vector<double>& instants, double seconds, EngineRun& result) {
  const RowMajorMatrix rows = simulation.rows(dofs);
  result.positions.setZero(rows.rows(), static_cast<Eigen::Index>(instants.size()));
  result.velocities = result.positions;
  TransientOptions options = optionsOf(deck, simulation);
  options.archiveEvery = std::numeric_limits<int>::max();
  options.instants = instants;
  options.within = {0.0, 0.25, 0.5, 0.75, 1.0};
  State state = simulation.initial;
  MotionObserver observer(result, rows, seconds);
  const Report report = withEquation(
      simulation, [&](auto& equation) { return run(simulation.scheme, equation, state, options, observer); });
  result.lastPosition = rows * state.q.head(rows.cols());
  result.lastVelocity = rows * state.v.head(rows.cols());
  result.ending = observer.isLate() ? EngineRun::Ending::late : endingOf(report.status);
  result.time = report.time;
  result.energyError = report.energyError;
  if (!result.complete()) result.failure = observer.isLate() ? "takes too long" : failureOf(deck, report);
}

}  // namespace

EngineRun runDeck(const std::string& deck, int bodies, bool planar, const std::vector<double>& instants,
                  double seconds) {
  EngineRun result;
  try {
    constexpr const char* kName = "cross_check.toml";
    const Deck study = readDeck(kName, Document::parse(deck, kName));
    const std::unique_ptr<Simulation> simulation = prepare(study);
    runPrepared(study, *simulation, dofsOf(study, bodies, planar), instants, seconds, result);
  } catch (const std::exception& error) {
    result.failure = std::string("refused: ") + error.what();
  }
  return result;
}

}  // namespace ricochet::cross
