#include "io/app/batch/run_batch.hpp"

#include "io/app/batch/variant_run.hpp"
#include "io/app/runs/run_advice.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/archive/result_format.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/run_options.hpp"
#include "io/result/target.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace ricochet {
namespace {

/// Runs the variants again that failed in an earlier run, because the file contains their status only and not
/// the reasons.
void findReasonsOfFailedVariants(const VariantPlan& plan, BatchSummary& summary, std::size_t historyRows) {
  std::optional<VariantRunner> runner;
  for (std::size_t i = 0; i < summary.failed.size(); ++i) {
    if (!summary.reasons[i].empty()) continue;
    if (!runner) runner.emplace(plan);
    summary.reasons[i] = runVariantRange(plan, *runner, {summary.failed[i], 1}, historyRows).reason[0];
  }
}

void runVariantRanges(const VariantPlan& plan, BatchQueue& queue) {
  try {
    VariantRunner runner(plan);
    while (!InterruptGuard::isStopRequested()) {
      const std::optional<VariantRange> range = queue.takeNextVariantRange();
      if (!range) return;
      queue.storeVariantBlock(runVariantRange(plan, runner, *range, queue.historyRows()));
    }
  } catch (...) {
    queue.storeFirstFailure(std::current_exception());
  }
}

/// Shows progress and serves the other processes while any thread of any process is at work.
void serveOtherProcesses(const VariantPlan& plan, BatchQueue& queue, BatchPeers* peers,
                         const std::atomic<std::size_t>& running, bool showProgress) {
  using namespace std::chrono_literals;
  const auto pause = peers != nullptr ? 1ms : 20ms;
  std::optional<Progress> progress;
  if (showProgress) progress.emplace("cases");
  bool others = false;
  try {
    do {
      std::this_thread::sleep_for(pause);
      others = peers != nullptr && peers->exchangeBlocks(plan, queue);
      if (!progress) continue;
      const auto all = static_cast<double>(std::max<std::size_t>(queue.pendingVariantCount(), 1));
      progress->updateProgress(static_cast<double>(queue.doneVariantCount()) / all,
                               static_cast<long long>(queue.doneVariantCount()));
    } while ((running > 0 || others) && !InterruptGuard::isStopRequested());
  } catch (...) {
    queue.storeFirstFailure(std::current_exception());
  }
}

BatchFile openBatchFile(const VariantPlan& plan, const BatchSettings& settings, std::size_t& historyRows,
                        std::vector<std::string>& advice) {
  const std::vector<double> historyTimes = archiveTimesOfRun(plan.study()).allTimes();
  historyRows = plan.batchRequest().histories.empty() ? 0 : historyTimes.size();
  if (settings.resume) {
    requireResumableResult(settings.result, inputFilesOf(plan.study()));
    if (std::optional<BatchFile> left = BatchFile::resumeBatchFile(plan, settings.result))
      return std::move(*left);
  }
  requireCreatableFile(settings.result);
  requireWritableResult(settings.result, inputFilesOf(plan.study()), settings.force,
                        settings.resume ? Unfinished::replace : Unfinished::keep);
  const auto simulation = prepare(plan.study());
  requireKnownNodeMotions(plan.study(), *simulation, false);
  if (historyRows > 0)
    if (const std::optional<std::string> text = adviceOnHistoriesOfBatch(plan.study(), *simulation))
      advice.push_back(*text);
  return {plan, *simulation, historyTimes, settings.result};
}

}  // namespace

std::shared_ptr<VariantRunner> makeVariantRunner(const VariantPlan& plan) {
  return std::make_shared<VariantRunner>(plan);
}

VariantBlock runVariantRange(const VariantPlan& plan, VariantRunner& runner, const VariantRange& range,
                             std::size_t historyRows) {
  VariantBlock block(plan, historyRows, range.first, range.count);
  runner.runVariants(range.first, range.count, block);
  return block;
}

namespace {

BatchSummary runBatchIntoFile(BatchFile& file, const VariantPlan& plan, const BatchSettings& settings,
                              std::size_t historyRows, BatchPeers* peers) {
  const auto begin = std::chrono::steady_clock::now();
  BatchQueue queue(plan, file, historyRows);

  const auto processors = std::max(1U, std::thread::hardware_concurrency());
  const auto wanted = settings.threads > 0 ? static_cast<std::size_t>(settings.threads) : processors;
  const std::size_t count = std::clamp<std::size_t>(queue.pendingVariantCount(), 1, wanted);
  {
    std::atomic<std::size_t> running{count};
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i)
      threads.emplace_back([&] {
        runVariantRanges(plan, queue);
        --running;
      });
    serveOtherProcesses(plan, queue, peers, running, settings.progress);
  }
  // this thread runs ranges that were returned meanwhile by a process that died
  if (!queue.areAllVariantsTaken()) runVariantRanges(plan, queue);
  if (const std::exception_ptr failure = queue.firstFailure()) {
    try {
      file.closeIncompleteFile();
    } catch (const ResultError&) {
      // only the first failure is reported
    }
    std::rethrow_exception(failure);
  }
  BatchSummary summary = queue.summaryOfQueue();
  summary.interrupted = InterruptGuard::isStopRequested();
  if (summary.missing.empty()) {
    findReasonsOfFailedVariants(plan, summary, historyRows);
    file.completeAndRenameFile(summary.failed, summary.reasons);
  } else {
    file.closeIncompleteFile();
  }
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return summary;
}

}  // namespace

BatchSummary summaryOfCompleteBatch(const std::filesystem::path& result) {
  const H5File file = openResult(result);
  BatchSummary summary;
  summary.cases = file.rows("/batch/status");
  if (!file.exists("/batch/failures/case")) return summary;
  for (const std::int64_t each : file.read<std::int64_t>("/batch/failures/case", {kAny}).values)
    summary.failed.push_back(static_cast<std::size_t>(each));
  summary.reasons = file.readStrings("/batch/failures/reason");
  summary.complete = summary.cases - summary.failed.size();
  return summary;
}

BatchSummary runBatch(const VariantPlan& plan, const BatchSettings& settings, BatchPeers* peers) {
  const InterruptGuard guard;
  std::size_t historyRows = 0;
  std::vector<std::string> advice;
  BatchFile file = openBatchFile(plan, settings, historyRows, advice);
  try {
    BatchSummary summary = runBatchIntoFile(file, plan, settings, historyRows, peers);
    summary.advice = std::move(advice);
    return summary;
  } catch (const ResultError& error) {
    throw ResultError(fmt::format("{}; {} holds the cases that are done: remedy it and give --resume",
                                  error.what(), file.partialPath().string()));
  }
}

}  // namespace ricochet
