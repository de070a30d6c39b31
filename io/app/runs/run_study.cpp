#include "io/app/runs/run_study.hpp"

#include "engine/study/with_equation.hpp"
#include "io/app/runs/checks_file.hpp"
#include "io/app/runs/slow_run.hpp"
#include "io/prepare/restart.hpp"
#include "io/prepare/run_options.hpp"
#include "io/quantities/checks/not_finite.hpp"
#include "io/result/result_file.hpp"
#include "io/result/result_rows.hpp"
#include "io/result/statistics_file.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ricochet {
namespace {

/// Statistics that a deck requests, and the file in which they are written if there is a result.
struct RunningStatistics {
  RunningStatistics(const Deck& study, const Simulation& simulation, const ResultFile* result,
                    TransientOptions& options) {
    if (!study.statistics) return;
    of.emplace(study, simulation);
    options.within = of->parts();
    if (result == nullptr) return;
    in.emplace(
        result->file(), study, simulation.mode,
        result->checkpoint() == nullptr ? StatisticsFile::Datasets::create : StatisticsFile::Datasets::open);
  }

  void finishStatistics(RunSummary& summary, CheckCollector& checks) {
    if (!of) return;
    of->finishAtTime(summary.report.time);
    checks.followContacts(*of);
    summary.statistics = of->summaries();
  }
  void writeStatistics() {
    if (!in) return;
    in->writeImpacts(*of);
    in->writeTotals(*of);
    in.reset();
  }

  std::optional<ContactStatistics> of;
  std::optional<StatisticsFile> in;
};

/// Forwards the callbacks of a run to the result file, the checks, the progress display and the further
/// observer of the caller.
class Distributor : public TransientObserver {
 public:
  Distributor(ResultFile* file, ResultRows* rows, CheckCollector& checks, std::size_t checked,
              TransientObserver* watcher, Progress* progress, const TransientOptions& options, Mode mode,
              RunningStatistics& statistics, SlowRunNotice& slow, RowLimit limit)
      : file_(file),
        mode_(mode),
        rows_(rows),
        checks_(checks),
        checked_(checked),
        watcher_(watcher),
        progress_(progress),
        start_(options.start),
        duration_(options.end - options.start),
        statistics_(statistics),
        slow_(slow),
        limit_(limit) {}

  void archive(const StepView& view) override {
    if (rows_ == nullptr) {
      if (watcher_ != nullptr) watcher_->archive(view);
      return;
    }
    recordContactGaps(view);
    if (!limit_.isStepKeptAsRow(view.state.time, rows_->rows())) return;
    if (rows_->isBlockFull()) {  // a long step outputs many rows without a checkpoint
      behind_.waitForTask();
      rows_->write();
    }
    rows_->archive(view);
  }
  void onInstant(std::size_t index, const StepView& view) override {
    if (index < checked_)
      checks_.onInstant(index, view);
    else
      watcher_->onInstant(index - checked_, view);
  }
  void onEvents(std::span<const Event> events) override {
    eventCount_ += events.size();
    checks_.onEvents(events);
    if (rows_ != nullptr)
      rows_->onEvents(events);
    else if (watcher_ != nullptr)
      watcher_->onEvents(events);
    if (statistics_.of) statistics_.of->forgetPassedEvents();
  }
  void onInstantInsideStep(double begin, double end, std::size_t index, const StepView& view) override {
    statistics_.of->onInstantInsideStep(begin, end, index, view);
  }
  bool onProgress(double time, long long steps) override {
    time_ = time;
    stops_ = InterruptGuard::isStopRequested() || (watcher_ != nullptr && !watcher_->onProgress(time, steps));
    slow_.updateNotice(time, steps, eventCount_);
    if (progress_ != nullptr) progress_->updateProgress((time - start_) / duration_, steps);
    return !stops_ && (rows_ == nullptr || !rows_->firstNonFiniteValue());
  }
  bool isCheckpointRequested() override {
    if (rows_ == nullptr) return false;
    return stops_ || rows_->isBlockFull() || (rows_->isCheckpointRequested() && !behind_.isTaskRunning());
  }
  /// Writes rows and checkpoint on a background thread while the run continues.
  void saveCheckpoint(std::span<const std::byte> bytes) override {
    behind_.waitForTask();
    checkpoint_.time = time_;
    checkpoint_.statistics.clear();
    if (statistics_.of) {
      statistics_.in->writeImpacts(*statistics_.of);
      std::vector<std::uint64_t> impacts = statistics_.in->rows();
      CheckpointWriter of(checkpoint_.statistics);
      of(impacts, *statistics_.of);
    }
    checkpoint_.rows = rows_->rows();
    checkpoint_.events = rows_->eventRowCount();
    checkpoint_.run.assign(bytes.begin(), bytes.end());
    checkpoint_.checks.clear();
    CheckpointWriter writer(checkpoint_.checks);
    writer(checks_, limit_);
    rows_->writeInBackground(behind_, *file_, checkpoint_);
  }
  bool isFinalStateRequested() override { return file_ != nullptr; }
  void receiveFinalState(std::span<const std::byte> bytes) override {
    end_.assign(bytes.begin(), bytes.end());
  }
  void startFromCheckpoint() override {
    const RunCheckpoint& from = *file_->checkpoint();
    CheckpointReader reader(from.checks);
    reader(checks_, limit_);
    if (statistics_.of) {
      std::vector<std::uint64_t> impacts;
      CheckpointReader of(from.statistics);
      of(impacts, *statistics_.of);
      statistics_.in->truncateTo(impacts);
    }
    file_->removeTotalsOfInterruptedRun(mode_);
    sees_ = false;
    checks_.onEvents(rows_->truncateTo(from.rows, from.events));
    file_->file().flush();
  }

  /// Writes the remaining rows; `canResume`: others may follow when the run is resumed. Afterwards nothing is
  /// written on the background thread.
  void writeLastRows(bool canResume) {
    behind_.waitForTask();
    canResume ? rows_->write() : rows_->writeRemainingRows();
  }

  const RowLimit& archivedRowLimit() const noexcept { return limit_; }

  /// Gaps of the contacts in all rows; empty for a resumed run that has not seen all rows.
  std::vector<GapsSeen> contactGaps() const { return sees_ ? gaps_ : std::vector<GapsSeen>{}; }

  /// Serialised final state of a complete run, from which the next run can start.
  std::span<const std::byte> end() const noexcept { return end_; }

 private:
  void recordContactGaps(const StepView& view) {
    if (gaps_.empty())
      for (const ContactView& contact : view.contacts) gaps_.push_back({contact.gap, contact.gap});
    for (std::size_t i = 0; i < gaps_.size(); ++i)
      gaps_[i].smallest = std::min(gaps_[i].smallest, view.contacts[i].gap);
  }

  ResultFile* file_;
  Mode mode_;
  ResultRows* rows_;
  CheckCollector& checks_;
  // number of instants that the checks need; later instants belong to the further observer
  std::size_t checked_;
  TransientObserver* watcher_;
  Progress* progress_;
  double start_;
  double duration_;
  std::vector<std::byte> end_;
  double time_{0.0};
  bool stops_{false};
  RunCheckpoint checkpoint_;
  RunningStatistics& statistics_;
  SlowRunNotice& slow_;
  RowLimit limit_;
  std::size_t eventCount_{0};
  std::vector<GapsSeen> gaps_;
  bool sees_{true};
  Background behind_;  // last member: its thread uses the other members
};

/// Records the events and the step times of a run. The event scheme archives every step, other schemes the
/// nominal ones: those are divided at jumps of loads, and where a law gets stiff.
class RehearsalObserver : public TransientObserver {
 public:
  RehearsalObserver(TransientOptions& options, bool isSeries) : isSeries_(isSeries) {
    options.archiveEvery = 1;
    options.archiveTimes.clear();
    if (!isSeries) options.within = {1.0};
  }

  void archive(const StepView& view) override {
    if (seen.steps.empty())
      for (const ContactView& contact : view.contacts)
        seen.closedAtStart.push_back(contact.phase != ContactPhase::open);
    if (isSeries_ || seen.steps.empty()) seen.steps.push_back(view.state.time);
  }
  void onInstantInsideStep(double, double end, std::size_t, const StepView&) override {
    seen.steps.push_back(end);
  }
  void onEvents(std::span<const Event> events) override {
    seen.events.insert(seen.events.end(), events.begin(), events.end());
  }
  bool onProgress(double, long long) override { return !InterruptGuard::isStopRequested(); }

  Rehearsal seen;

 private:
  bool isSeries_;
};

/// Prior run without output, for checks that need the instant of an event or the steps of a part of the run.
Rehearsal runPriorRunWithoutOutput(const Deck& study, const Simulation& simulation) {
  State state = simulation.initial;
  TransientOptions options = transientOptionsOf(study, simulation);
  RehearsalObserver observer(options, simulation.scheme == kEventScheme);
  callWithEquationOfMotion(
      simulation, [&](auto& equation) { return run(simulation.scheme, equation, state, options, observer); });
  return std::move(observer.seen);
}

}  // namespace

std::string failureTextOfRun(const Deck& study, const RunSummary& summary) {
  if (summary.notFinite.empty()) return failureTextOfRun(study, summary.report);
  return fmt::format(
      "{} is no finite number at t = {:.9g} s: what it is made of is too large, or a formula has no value "
      "there; check units and formulas",
      summary.notFinite, summary.report.time);
}

namespace {

/// Throws if an output of a run is not finite although its motion is.
void requireFiniteOutputs(const Deck& study, const ResultRows* rows, const RunningStatistics& statistics,
                          RunSummary& summary) {
  if (summary.report.status == RunStatus::diverged) return;
  if (rows != nullptr && rows->firstNonFiniteValue()) {
    summary.notFinite = rows->firstNonFiniteValue()->dataset;
    summary.report.time = rows->firstNonFiniteValue()->time;
  } else {
    summary.notFinite = findNonFiniteTotal(study, summary);
    if (summary.notFinite.empty() && statistics.of)
      summary.notFinite = findNonFiniteStatistic(study, *statistics.of);
  }
  if (!summary.notFinite.empty()) summary.report.status = RunStatus::diverged;
}

}  // namespace

RunSummary runStudy(const Deck& study, const Simulation& simulation, ResultFile* result, bool showProgress,
                    const Audience& audience) {
  const InterruptGuard guard;
  CheckCollector checks(study, simulation, audience.wantsEvents);
  if (checks.needsPriorRun()) checks.setEventsOfPriorRun(runPriorRunWithoutOutput(study, simulation));
  State state = simulation.initial;
  TransientOptions options = transientOptionsOf(study, simulation);
  options.instants = checks.samplingInstants();
  const std::size_t checked = options.instants.size();
  options.instants.insert(options.instants.end(), audience.instants.begin(), audience.instants.end());

  const RunCheckpoint* from = result == nullptr ? nullptr : result->checkpoint();
  std::optional<ResultRows> rows;
  if (result != nullptr)
    rows.emplace(result->file(), study, simulation,
                 from == nullptr ? ResultRows::Datasets::create : ResultRows::Datasets::open);
  RunningStatistics statistics(study, simulation, result, options);
  if (from != nullptr) options.resumeFrom = std::span(from->run);
  std::optional<Progress> progress;
  if (showProgress) progress.emplace("steps");
  SlowRunNotice slow(study.deckFile.string(), simulation, options);
  Distributor distributor(result, rows ? &*rows : nullptr, checks, checked, audience.observer,
                          progress ? &*progress : nullptr, options, simulation.mode, statistics, slow,
                          rowLimitOf(study, simulation));
  return callWithEquationOfMotion(simulation, [&](auto& equation) {
    RunSummary summary;
    if (from != nullptr) summary.resumedAt = from->time;
    checks.followContacts(equation.contacts());
    if (statistics.of) statistics.of->followContacts(equation.contacts());
    const auto begin = std::chrono::steady_clock::now();
    summary.report = run(simulation.scheme, equation, state, options, distributor);
    statistics.finishStatistics(summary, checks);
    summary.totals.assign(equation.contacts().runTotals().begin(), equation.contacts().runTotals().end());
    for (std::size_t i = 0; i < study.links.size(); ++i)
      summary.links.push_back(equation.links().state(static_cast<int>(i)));
    requireFiniteOutputs(study, rows ? &*rows : nullptr, statistics, summary);
    if (rows) {
      distributor.writeLastRows(summary.report.status == RunStatus::interrupted);
      summary.rows = rows->rows();
      summary.rowLimit = distributor.archivedRowLimit();
      summary.gaps = distributor.contactGaps();
      rows.reset();
    }
    if (!statistics.of || findNonFiniteStatistic(study, *statistics.of).empty()) statistics.writeStatistics();
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (result != nullptr) {
      result->writeTotals(study, simulation.mode, equation.contacts(), summary.report);
      if (summary.report.status != RunStatus::diverged)
        writeRestartState(result->file(), study, simulation, state,
                          RunMemory(equation.contacts(), equation.links()), distributor.end());
    }
    if constexpr (requires { equation.factorizations(); }) {
      summary.factorizations = equation.factorizations();
      summary.fill = equation.factorEntryCount();
    }
    summary.events = checks.recordedEvents();
    summary.checks = checks.evaluateChecks(&summary.report, &equation.contacts());
    return summary;
  });
}

namespace {

std::optional<ResultFile> openOrCreateResult(const Deck& study, const Simulation& simulation,
                                             const RunSettings& settings) {
  if (!settings.result) return std::nullopt;
  if (settings.resume) {
    requireResumableResult(*settings.result, inputFilesOf(study));
    std::optional<ResultFile> reopened = ResultFile::reopenPartialResult(study, simulation, *settings.result);
    if (reopened) return reopened;
  }
  // a resumed run without any stored content starts again from the beginning
  requireWritableResult(*settings.result, inputFilesOf(study), settings.force,
                        settings.resume ? Unfinished::replace : Unfinished::keep);
  return std::optional<ResultFile>(std::in_place, study, simulation, *settings.result);
}

}  // namespace

RunSummary runStudy(const Deck& study, const Simulation& simulation, const RunSettings& settings) {
  std::optional<ResultFile> result = openOrCreateResult(study, simulation, settings);
  try {
    const RunSummary summary = runStudy(study, simulation, result ? &*result : nullptr, settings.progress,
                                        {.instants = {}, .observer = settings.observer});
    if (!result) return summary;
    const RunStatus status = summary.report.status;
    if (status == RunStatus::complete) {
      writeCheckResults(result->file(), summary.checks);
      result->close("complete");
    } else {
      result->close("failed", failureTextOfRun(study, summary), status == RunStatus::interrupted);
    }
    return summary;
  } catch (const CheckpointError& error) {
    if (!settings.resume)
      throw TargetError(fmt::format("initial.restart: {}: run that deck again with this one", error.what()));
    throw TargetError(fmt::format("{}: {}; run with --force instead of --resume to begin anew",
                                  temporaryNameOfResult(*settings.result).string(), error.what()));
  } catch (const ResultError& error) {
    throw ResultError(fmt::format("{}\n{} holds the run up to its last block: remedy it and give --resume",
                                  error.what(), temporaryNameOfResult(*settings.result).string()));
  }
}

}  // namespace ricochet
