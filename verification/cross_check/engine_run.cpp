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
#include <cmath>
#include <cstddef>
#include <ctime>
#include <exception>
#include <limits>
#include <utility>

namespace ricochet::cross {
namespace {

/// Processor time of this thread [s], which other programs do not change.
double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Records the motion at the instants and the smallest gap; stops a run that takes too long.
class MotionObserver : public TransientObserver {
 public:
  MotionObserver(EngineRun& run, const Simulation& simulation, const std::vector<Dof>& dofs, double seconds,
                 long long mostSteps, std::optional<double> keepFrom)
      : run_(run),
        rows_(simulation.rows(dofs)),
        mostSteps_(mostSteps),
        keepFrom_(keepFrom),
        end_(threadSeconds() + seconds) {
    for (const Dof& dof : dofs) {
      displacements_.push_back(simulation.imposedMotion(dof, Kinematic::displacement, false));
      velocities_.push_back(simulation.imposedMotion(dof, Kinematic::velocity, false));
    }
  }

  void archive(const StepView& /*view*/) override {}
  void onInstant(std::size_t index, const StepView& view) override {
    const auto column = static_cast<Eigen::Index>(index);
    run_.positions.col(column) = rows_ * view.state.q.head(rows_.cols());
    run_.velocities.col(column) = rows_ * view.state.v.head(rows_.cols());
    for (std::size_t i = 0; i < displacements_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (!displacements_[i].empty()) run_.positions(row, column) += displacements_[i].at(view);
      if (!velocities_[i].empty()) run_.velocities(row, column) += velocities_[i].at(view);
    }
    run_.largestEnergy = std::max(run_.largestEnergy, view.ledger.kinetic);
    addGaps(view);
  }
  void onEvents(std::span<const Event> events) override {
    for (const Event& event : events) run_.changes.push_back(event.time);
    for (const Event& event : events)
      if (event.kind == EventKind::closing) addClosing(event);
    for (const Event& event : events)
      run_.events += fmt::format("t={:.9f} c{} {}\n", event.time, event.contact,
                                 kEventNames[static_cast<std::size_t>(event.kind)]);
  }
  void onInstantInsideStep(double /*begin*/, double /*end*/, std::size_t /*index*/,
                           const StepView& view) override {
    addGaps(view);
  }
  bool onProgress(double time, long long steps) override {
    time_ = time;
    late_ = late_ || (mostSteps_ > 0 && steps > mostSteps_) || threadSeconds() > end_;
    return !late_;
  }
  bool isCheckpointRequested() override {
    return keepFrom_ && time_ >= *keepFrom_ && run_.checkpoint.empty();
  }
  void saveCheckpoint(std::span<const std::byte> bytes) override {
    run_.checkpoint.assign(bytes.begin(), bytes.end());
  }
  bool isLate() const noexcept { return late_; }

 private:
  void addClosing(const Event& event) {
    const double between = event.time - lastClosing_.time;
    if (event.contact != lastClosing_.contact && between > 0.0)
      run_.shortestBetweenClosings = std::min(run_.shortestBetweenClosings, between);
    lastClosing_ = event;
  }
  void addGaps(const StepView& view) {
    run_.smallestGaps.resize(view.contacts.size());
    for (std::size_t i = 0; i < view.contacts.size(); ++i) {
      run_.smallestGap = std::min(run_.smallestGap, view.contacts[i].gap);
      run_.smallestGaps[i] = std::min(run_.smallestGaps[i], view.contacts[i].gap);
    }
  }

  EngineRun& run_;
  RowMajorMatrix rows_;
  std::vector<ImposedMotion> displacements_, velocities_;
  long long mostSteps_;
  std::optional<double> keepFrom_;  ///< instant from which on a checkpoint is requested [s]
  double time_{0.0};
  double end_;
  bool late_{false};
  Event lastClosing_{-std::numeric_limits<double>::infinity(), -1, EventKind::closing};
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

/// Changes the start of a run by a fraction of its scale, with a different factor for each coordinate.
void perturbInitialState(State& state, const RunChoice& choice) {
  if (choice.apart == 0.0 || choice.scale == nullptr) return;
  const auto move = [&](Vector& x, const Vector& scale) {
    const double size = choice.apart * scale.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (scale[i] != 0.0) x[i] += size * std::cos(1.0 + 2.0 * static_cast<double>(i));
  };
  move(state.q, choice.scale->q);
  move(state.v, choice.scale->v);
}

TransientOptions optionsOf(const Deck& deck, const Simulation& simulation,
                           const std::vector<double>& instants, const RunChoice& choice) {
  TransientOptions options = transientOptionsOf(deck, simulation);
  options.archiveEvery = std::numeric_limits<int>::max();
  options.archiveTimes.clear();
  options.instants = instants;
  if (choice.looksInside) options.within = {0.0, 0.25, 0.5, 0.75, 1.0};
  if (choice.step > 0.0) options.step = options.scheme.stepMax = choice.step;
  if (choice.tolerance) {
    options.scheme.relativeTolerance = options.scheme.eventRelativeTolerance = *choice.tolerance;
    options.scheme.absoluteTolerance = 1e-6 * *choice.tolerance;
  }
  if (!choice.resumeFrom.empty()) options.resumeFrom = choice.resumeFrom;
  return options;
}

}  // namespace

EngineRun runPrepared(const Deck& deck, const Simulation& simulation, const std::vector<Dof>& dofs,
                      const std::vector<double>& instants, double seconds, const RunChoice& choice) {
  EngineRun result;
  result.positions.setZero(static_cast<Eigen::Index>(dofs.size()),
                           static_cast<Eigen::Index>(instants.size()));
  result.velocities = result.positions;
  const TransientOptions options = optionsOf(deck, simulation, instants, choice);
  State state = simulation.initial;
  perturbInitialState(state, choice);
  std::optional<double> keepFrom;
  if (choice.keepsCheckpoint) keepFrom = 0.5 * (options.start + options.end);
  MotionObserver observer(result, simulation, dofs, seconds, choice.mostSteps, keepFrom);
  const Report report = callWithEquationOfMotion(
      simulation, [&](auto& equation) { return run(simulation.scheme, equation, state, options, observer); });
  const RowMajorMatrix rows = simulation.rows(dofs);
  result.lastPosition = rows * state.q.head(rows.cols());
  result.lastVelocity = rows * state.v.head(rows.cols());
  result.ending = observer.isLate() ? EngineRun::Ending::late : endingOf(report.status);
  result.time = report.time;
  result.energyError = report.energyError;
  result.hasUniqueImpulses = report.impacts.notUnique == 0;
  result.shortened = report.shortened.count > 0;
  if (!result.complete())
    result.failure = observer.isLate() ? "takes too long" : failureTextOfRun(deck, report);
  result.end = std::move(state);
  return result;
}

EngineRun runDeck(const std::string& deck, int bodies, bool planar, const std::vector<double>& instants,
                  double seconds) {
  EngineRun result;
  try {
    constexpr const char* kName = "cross_check.toml";
    const Deck study = readDeck(kName, Document::parse(deck, kName));
    const std::unique_ptr<Simulation> simulation = prepare(study);
    result = runPrepared(study, *simulation, dofsOf(study, bodies, planar), instants, seconds);
  } catch (const std::exception& error) {
    result.failure = std::string("refused: ") + error.what();
  }
  return result;
}

}  // namespace ricochet::cross
