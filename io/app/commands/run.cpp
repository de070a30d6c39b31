#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/runs/run_advice.hpp"
#include "io/app/runs/run_notes.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/quantities/statistics/print_statistics.hpp"
#include "io/result/result_target.hpp"
#include "io/result/target.hpp"
#include "io/text/counted.hpp"
#include "io/text/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace ricochet {
namespace {

void printHeadingOfRun(const Deck& study, const Simulation& simulation) {
  if (!study.title.empty()) fmt::print("{}\n", study.title);
  std::string space = fmt::format("{} physical coordinates", simulation.size());
  if (simulation.mode == Mode::modal) {
    const Vector frequency = simulation.basis.frequency();
    space = fmt::format("{}, {:.4g} to {:.4g} Hz", numberWithNoun(simulation.basis.size(), "mode"),
                        frequency[0], frequency[simulation.basis.size() - 1]);
  }
  const std::string links = study.links.empty() ? "" : ", " + numberWithNoun(study.links.size(), "link");
  fmt::print("  {}; {}{}; {}{}\n", space, numberWithNoun(study.contacts.size(), "contact"), links,
             simulation.scheme,
             simulation.step > 0.0 ? fmt::format(" with a step of {:.4g} s", simulation.step) : "");
  for (const std::string& estimate : estimateTextsOfRun(study, simulation)) fmt::print("  {}\n", estimate);
  for (const std::string& choice : simulation.choices) fmt::print("  default: {}\n", choice);
  for (const std::string& warning : simulation.warnings) fmt::print("  warning: {}\n", warning);
  for (const std::string& advice : adviceOnRun(study, simulation)) fmt::print("  look at: {}\n", advice);
}

void printEvents(const Deck& study, const std::vector<Event>& events, std::size_t count) {
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < std::min(events.size(), kShown); ++i)
    fmt::print("  {:>14.9f} s  {}  {}\n", events[i].time, bodyName(study, events[i].contact),
               nameOfEventKind(events[i].kind));
  if (count > kShown) fmt::print("  ... and {} more events\n", count - kShown);
}

void printImpactCounts(ImpactLaw law, const ImpactCounts& impacts) {
  if (impacts.together > 0)
    fmt::print("  {} of several rigid contacts at one instant, by the law \"{}\"{}\n",
               numberWithNoun(impacts.together, "impact"), nameOf(law),
               impacts.notUnique > 0
                   ? fmt::format("; impulses were not unique in {}, where those of least norm were taken",
                                 impacts.notUnique)
                   : "");
  if (impacts.withoutRestitution > 0)
    fmt::print("  {} without restitution, since no impulses satisfy the laws with it\n",
               numberWithNoun(impacts.withoutRestitution, "impact"));
  if (impacts.withoutCollision > 0)
    fmt::print("  {} without collision, where a slip has no finite reaction (Painleve)\n",
               numberWithNoun(impacts.withoutCollision, "impact"));
  if (impacts.sharedTime > 0.0)
    fmt::print(
        "  forces of closed contacts were not unique for {:.4g} s of the run, and are one choice there\n",
        impacts.sharedTime);
  if (impacts.gains > 0)
    fmt::print("  WARNING: {} gained energy, which restitution and friction together allow\n",
               numberWithNoun(impacts.gains, "impact"));
}

void printSummary(const Deck& study, const RunSummary& summary) {
  printEvents(study, summary.events, static_cast<std::size_t>(summary.report.events));
  for (std::size_t i = 0; i < summary.totals.size(); ++i) {
    const ContactTotals& t = summary.totals[i];
    const bool strikes = hasGap(study.contacts[i].obstacle);  // an imposed force presses without an impact
    fmt::print("  contact {}: {}peak force {:.4g} N, impulse {:.4g} N s, friction energy {:.6g} J\n",
               study.contacts[i].name, strikes ? numberWithNoun(t.impacts, "impact") + ", " : "", t.peakForce,
               t.impulse, t.frictionEnergy);
  }
  fmt::print("{}", formatStatistics(study, summary.statistics));
  for (std::size_t i = 0; i < summary.links.size(); ++i)
    fmt::print("  link {}: {:.6g} J dissipated, {:.6g} J stored at the end\n", study.links[i].name,
               summary.links[i].dissipated, summary.links[i].stored);
  constexpr double kSuspicious = 0.01;
  for (const std::string& note : notesOnFinishedRun(study, summary)) fmt::print("  {}\n", note);
  fmt::print("  energy residual {} of the largest energy{}\n", energyResidualText(summary.report.energyError),
             summary.report.energyError > kSuspicious ? "  WARNING: above 1 %, take a smaller step" : "");
  const Report& report = summary.report;
  printImpactCounts(study.transient->options.impactLaw, report.impacts);
  if (report.refusedBy >= 0)
    fmt::print("  {} step{} halved: no balance of {} was found first at {:.9g} s\n", report.refused,
               report.refused == 1 ? " was" : "s were", bodyName(study, report.refusedBy), report.refusedAt);
  if (report.shortened.count > 0)
    fmt::print(
        "  {} halved, where a law gets stiffer than at rest: first at {:.9g} s, the shortest to {:.4g} s\n",
        report.shortened.count == 1 ? "1 step was" : fmt::format("{} steps were", report.shortened.count),
        report.shortened.firstAt, report.shortened.shortest);
  if (summary.factorizations > 0)
    fmt::print("  {} factorizations, {:.4g} entries in the largest\n", summary.factorizations,
               static_cast<double>(summary.fill));
  fmt::print("  {} steps{} in {:.3g} s\n", report.steps,
             report.longSteps > 0 ? fmt::format(" ({} of them long)", report.longSteps) : "",
             summary.seconds);
}

}  // namespace

Deck readDeckWithRun(const DeckArgument& deck) {
  Deck study = deck.readStudy();
  if (!study.transient) throw InputError({deck.name(), 1, 1}, "transient", kNothingToRun);
  return study;
}

int exitStatusOfChecks(const std::vector<CheckResult>& checks, const std::filesystem::path& deck,
                       bool quiet) {
  std::vector<CheckResult> failed;
  std::copy_if(checks.begin(), checks.end(), std::back_inserter(failed),
               [](const CheckResult& check) { return !check.passed; });
  if (failed.empty()) return kSuccess;
  if (quiet) fmt::print(stderr, "{}", formatChecks(failed));
  fmt::print(stderr, "ricochet: {}: {} of {} checks failed\n", deck.string(), failed.size(), checks.size());
  return kFailure;
}

namespace {

struct RunArguments {
  DeckArgument deck;
  bool direct{false};  // true: runs in physical coordinates (direct mode)
  bool quiet{false};
  RunSettings settings;
};

int runDeck(const RunArguments& arguments) {
  const Deck study = readDeckWithRun(arguments.deck);
  RunSettings settings = arguments.settings;
  const std::filesystem::path target = settings.result.value_or(study.output.file);
  settings.result = target;
  settings.progress = !arguments.quiet;
  requireCreatableFile(target);
  // Targets are refused before the basis is extracted; a resumed run first examines its partial result.
  if (!settings.resume) requireWritableResult(target, inputFilesOf(study), settings.force);
  const auto simulation = runWhileShowingWaiting(
      !arguments.quiet, arguments.direct ? "assembling the structure" : "extracting the basis",
      [&] { return arguments.direct ? prepareDirectSimulation(study) : prepare(study); });
  requireKnownNodeMotions(study, *simulation, true);
  if (!arguments.quiet) printHeadingOfRun(study, *simulation);

  const RunSummary summary = runStudy(study, *simulation, settings);
  if (!arguments.quiet) {
    if (settings.resume)
      fmt::print("  {}\n", summary.resumedAt ? fmt::format("resumed at t = {:.9g} s", *summary.resumedAt)
                                             : "nothing had been kept yet: the run began anew");
    printSummary(study, summary);
    if (!summary.checks.empty()) fmt::print("\n{}\n", formatChecks(summary.checks));
    const RowLimit& limit = summary.rowLimit;
    fmt::print("{}: {} rows{}\n", target.string(), summary.rows,
               limit.omittedSteps() == 0
                   ? ""
                   : fmt::format("; {} further steps are none: after {} rows each is {:.3g} s or more "
                                 "after the last ([output] interval or every asks for others)",
                                 limit.omittedSteps(), limit.rowsKeptUnconditionally(),
                                 limit.leastTimeBetweenRows()));
  }
  if (summary.report.status == RunStatus::complete)
    return exitStatusOfChecks(summary.checks, arguments.deck.file, arguments.quiet);
  fmt::print(stderr, "ricochet: {}: {}; {} holds the run up to there\n", arguments.deck.name(),
             failureTextOfRun(study, summary), target.string());
  if (summary.report.status == RunStatus::interrupted)
    fmt::print(stderr, "ricochet: --resume goes on from there\n");
  return kFailure;
}

}  // namespace

Command addRunCommand(CLI::App& app) {
  CLI::App* run = app.add_subcommand("run", "Integrate a deck and write its result");
  const auto arguments = std::make_shared<RunArguments>();
  RunSettings& settings = arguments->settings;
  addDeckArgument(*run, arguments->deck);
  addOutputFileOptions(*run, settings.result, settings.force);
  run->add_flag("--resume", settings.resume,
                "Go on with a run that was killed, interrupted or met a full disk, from its last block; the "
                "result is that of a run that was not");
  addQuietOption(*run, arguments->quiet, "errors and checks that fail");
  addLimitOptions(*run);
  run->add_option_function<std::string>(
         "--mode", [arguments](const std::string& mode) { arguments->direct = mode == "direct"; },
         "modal: generalized coordinates; direct: physical ones, as [direct] of the deck says")
      ->check(CLI::IsMember({"modal", "direct"}))
      ->default_str("modal");
  return {run, [arguments] { return runDeck(*arguments); }};
}

}  // namespace ricochet
