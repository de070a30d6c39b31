#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/app/commands/commands.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

void printHead(const VariantPlan& plan, int processes) {
  const BatchRequest& request = plan.request();
  if (!plan.study().title.empty()) fmt::print("{}\n", plan.study().title);
  fmt::print("  {} case{} of {} parameter{}, {} output{}; {} bas{}\n", plan.size(),
             plan.size() == 1 ? "" : "s", plan.parameters(), plan.parameters() == 1 ? "" : "s",
             request.outputs.size(), request.outputs.size() == 1 ? "" : "s", plan.groups(),
             plan.groups() == 1 ? "is" : "es");
  if (processes > 1) fmt::print("  {} processes\n", processes);
}

std::string valuesOf(const VariantPlan& plan, std::size_t variant) {
  std::string text;
  for (std::size_t p = 0; p < plan.parameters(); ++p)
    text += fmt::format("{}{} = {:.6g}", p == 0 ? "" : ", ", plan.request().parameters[p].path,
                        plan.valuesOf(variant)[p]);
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
    fmt::print("  slow: case {} took {:.3g} s ({})\n", variant, seconds, valuesOf(plan, variant));
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(summary.failed.size(), kShown); ++i)
    fmt::print("  failed: case {} ({}): {}\n", summary.failed[i], valuesOf(plan, summary.failed[i]),
               summary.reasons[i]);
  if (summary.failed.size() > kShown)
    fmt::print("  ... and {} more, in /batch/failures\n", summary.failed.size() - kShown);
}

}  // namespace

int batchCommand(const BatchArguments& arguments, const PeersMaker& makePeers) {
  BatchPeers* const peers = makePeers ? makePeers() : nullptr;
  const VariantPlan plan(arguments.deck);
  if (peers && !peers->isFirst()) {
    const InterruptGuard guard;  // process 0 decides
    peers->work(plan, std::max(1, arguments.threads));
    return kSuccess;
  }
  const std::filesystem::path target = arguments.output.value_or(plan.study().output.file);
  if (!arguments.quiet) printHead(plan, peers ? peers->processes() : 1);
  const BatchSettings settings{.result = target,
                               .force = arguments.force,
                               .resume = arguments.resume,
                               .progress = !arguments.quiet,
                               .threads = peers ? std::max(1, arguments.threads) : arguments.threads};
  const BatchSummary summary = runBatch(plan, settings, peers);
  if (!arguments.quiet) printSummary(plan, summary);
  if (!summary.missing.empty()) {
    fmt::print(stderr, "ricochet: {}: {}; {} holds the {} cases that are done, --resume goes on\n",
               arguments.deck.string(),
               summary.interrupted ? InterruptGuard::reason() : "some cases are missing",
               partialOf(target).string(), summary.complete + summary.failed.size());
    return kFailure;
  }
  if (!arguments.quiet) fmt::print("{}: {} cases\n", target.string(), summary.cases);
  if (summary.failed.empty()) return kSuccess;
  fmt::print(stderr, "ricochet: {}: {} of {} cases failed, the first is case {}: {}\n",
             arguments.deck.string(), summary.failed.size(), summary.cases, summary.failed.front(),
             summary.reasons.front());
  return kFailure;
}

}  // namespace ricochet
