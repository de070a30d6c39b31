#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/result/result_target.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "io/text/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

namespace ricochet {
namespace {

void printHeadingOfRun(const VariantPlan& plan, int processes) {
  if (!plan.study().title.empty()) fmt::print("{}\n", plan.study().title);
  fmt::print("  {} of {}, {}; {}\n", numberWithNoun(plan.size(), "case"),
             numberWithNoun(plan.parameterCount(), "parameter"),
             numberWithNoun(plan.batchRequest().outputs.size(), "output"),
             numberWithNoun(plan.variantGroupCount(), "bas", "es", "is"));
  if (processes > 1) fmt::print("  {} processes\n", processes);
}

std::string parameterValuesText(const VariantPlan& plan, std::size_t variant) {
  std::string text;
  for (std::size_t p = 0; p < plan.parameterCount(); ++p)
    text += fmt::format("{}{} = {:.6g}", p == 0 ? "" : ", ", plan.batchRequest().parameters[p].path,
                        plan.valuesOfVariant(variant)[p]);
  return text;
}

void printSummary(const VariantPlan& plan, const BatchSummary& summary) {
  const std::size_t run = summary.complete + summary.failed.size() - summary.before;
  fmt::print("  {} complete, {} failed, {} missing{}\n", summary.complete, summary.failed.size(),
             summary.missing.size(),
             summary.before > 0 ? fmt::format(" ({} were done before)", summary.before) : "");
  fmt::print("  {} cases in {:.3g} s, {:.3g} cases/s\n", run, summary.seconds,
             static_cast<double>(run) / std::max(summary.seconds, 1e-9));
  for (const auto& [seconds, variant] : summary.slowest)
    fmt::print("  slowest: case {} took {:.3g} s ({})\n", variant, seconds,
               parameterValuesText(plan, variant));
  for (const std::string& advice : summary.advice) fmt::print("  look at: {}\n", advice);
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(summary.failed.size(), kShown); ++i)
    fmt::print("  failed: case {} ({}): {}\n", summary.failed[i],
               parameterValuesText(plan, summary.failed[i]), summary.reasons[i]);
  if (summary.failed.size() > kShown)
    fmt::print("  ... and {} more, in /batch/failures\n", summary.failed.size() - kShown);
}

struct BatchArguments {
  DeckArgument deck;
  std::optional<std::filesystem::path> output;
  bool quiet{false};
  BatchSettings settings;
};

/// Tells which cases of a complete batch failed; returns the exit status.
int exitStatusOfBatch(const BatchSummary& summary, const std::string& deck) {
  if (summary.failed.empty()) return kSuccess;
  fmt::print(stderr, "ricochet: {}: {} of {} cases failed, the first is case {}: {}\n", deck,
             summary.failed.size(), summary.cases, summary.failed.front(), summary.reasons.front());
  return kFailure;
}

/// The summary of a run of the batch; empty if its result is complete, so that nothing is left to resume.
std::optional<BatchSummary> runBatchUnlessComplete(const VariantPlan& plan, const BatchSettings& settings,
                                                   BatchPeers* peers) {
  try {
    return runBatch(plan, settings, peers);
  } catch (const AlreadyComplete& done) {
    fmt::print("{}\n", printableMessage(done.what()));
    return std::nullopt;
  }
}

int runDeckOfBatch(const BatchArguments& arguments, const PeersMaker& makePeers) {
  BatchPeers* const peers = makePeers ? makePeers() : nullptr;
  const VariantPlan plan(arguments.deck.file, arguments.deck.loadDocument());
  BatchSettings settings = arguments.settings;
  if (peers) settings.threads = std::max(1, settings.threads);
  if (peers && !peers->isFirstProcess()) {
    const InterruptGuard guard;  // Ctrl-C is handled by process 0, which stops the others
    peers->runVariantRanges(plan, settings.threads);
    return kSuccess;
  }
  const std::filesystem::path target = arguments.output.value_or(plan.study().output.file);
  if (!arguments.quiet) printHeadingOfRun(plan, peers ? peers->processCount() : 1);
  settings.result = target;
  settings.progress = !arguments.quiet;
  const std::optional<BatchSummary> ran = runBatchUnlessComplete(plan, settings, peers);
  if (!ran) return exitStatusOfBatch(summaryOfCompleteBatch(target), arguments.deck.name());
  const BatchSummary& summary = *ran;
  if (!arguments.quiet) printSummary(plan, summary);
  if (!summary.missing.empty()) {
    fmt::print(stderr, "ricochet: {}: {}; {} holds the {} cases that are done, --resume goes on\n",
               arguments.deck.name(),
               summary.interrupted ? InterruptGuard::stopReason() : "some cases are missing",
               temporaryNameOfResult(target).string(), summary.complete + summary.failed.size());
    return kFailure;
  }
  if (!arguments.quiet) fmt::print("{}: {} cases\n", target.string(), summary.cases);
  return exitStatusOfBatch(summary, arguments.deck.name());
}

}  // namespace

Command addBatchCommand(CLI::App& app, const PeersMaker& makePeers) {
  CLI::App* batch = app.add_subcommand("batch", "Run the variants that [batch] of a deck asks for");
  const auto arguments = std::make_shared<BatchArguments>();
  BatchSettings& settings = arguments->settings;
  addDeckArgument(*batch, arguments->deck);
  addOutputFileOptions(*batch, arguments->output, settings.force);
  batch->add_flag("--resume", settings.resume, "Go on where a batch was interrupted or killed");
  batch->add_option("-j,--threads", settings.threads, "Threads (default: one per processor)")
      ->check(CLI::Range(1, 4096));
  addQuietOption(*batch, arguments->quiet);
  addLimitOptions(*batch);
  return {batch, [arguments, makePeers] { return runDeckOfBatch(*arguments, makePeers); }};
}

}  // namespace ricochet
