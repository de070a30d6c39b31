#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/runs/comparison.hpp"
#include "io/app/runs/comparison_verdict.hpp"
#include "io/app/runs/run_notes.hpp"
#include "io/app/runs/run_time.hpp"
#include "io/result/result_target.hpp"
#include "io/result/target.hpp"
#include "io/text/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace ricochet {
namespace {

std::string valueOrDash(const std::optional<double>& value) {
  return value ? fmt::format("{:.10g}", *value) : std::string("-");
}

void printRunSettings(const Simulation& simulation, const RunSummary& summary, double seconds) {
  const bool modal = simulation.mode == Mode::modal;
  const auto steps = static_cast<double>(std::max(summary.report.steps, 1LL));
  fmt::print("  {:<7} {:>7} {}, {}{}\n", modal ? "modal" : "direct", simulation.size(),
             modal ? "modes" : "coordinates", simulation.scheme,
             simulation.step > 0.0 ? fmt::format(" with a step of {:.4g} s", simulation.step) : "");
  fmt::print("          {} steps in {:.3g} s, {:.3g} s each; energy residual {}\n", summary.report.steps,
             seconds, seconds / steps, energyResidualText(summary.report.energyError));
  for (const std::string& choice : simulation.choices) fmt::print("          default: {}\n", choice);
  for (const std::string& warning : simulation.warnings) fmt::print("          warning: {}\n", warning);
}

void printContactTotals(const Study& study, const Comparison& comparison) {
  const std::vector<ComparedTotal> totals = compareTotals(study, comparison);
  if (totals.empty()) return;
  fmt::print("\n{:<20} {:<20} {:>13} {:>13} {:>12} {:>14}\n", "over the run", "contact", "modal", "direct",
             "difference", "by sampling");
  for (const ComparedTotal& total : totals)
    fmt::print("{:<20} {:<20} {:>13.6g} {:>13.6g} {:>+12.2g} {:>14}\n",
               total.quantity + (total.unit.empty() ? "" : " [" + total.unit + "]"), total.contact,
               total.modal, total.direct, total.direct - total.modal,
               total.sampling ? fmt::format("{:.2g}", *total.sampling) : "-");
}

/// Prints the histories with the largest difference of each quantity.
void printComparedHistories(const Comparison& comparison) {
  constexpr std::size_t kShown = 8;
  if (comparison.histories.empty()) return;
  fmt::print("\n{:<17} {:<20} {:>12} {:>14} {:>9} {:>14} {:>13}\n", "quantity", "where", "largest",
             "max difference", "relative", "rms difference", "at [s]");
  std::vector<const ComparedHistory*> rows;
  const auto print = [&] {
    std::stable_sort(rows.begin(), rows.end(), [](const ComparedHistory* a, const ComparedHistory* b) {
      return a->difference > b->difference;
    });
    for (std::size_t i = 0; i < std::min(rows.size(), kShown); ++i)
      fmt::print("{:<17} {:<20} {:>12.5g} {:>14.3g} {:>9.2g} {:>14.3g} {:>13.7g}\n", rows[i]->quantity,
                 rows[i]->where, rows[i]->largest, rows[i]->difference, rows[i]->relativeDifference(),
                 rows[i]->rms, rows[i]->at);
    if (rows.size() > kShown)
      fmt::print("{:<17} ... and {} that differ less\n", rows.front()->quantity, rows.size() - kShown);
    rows.clear();
  };
  for (const ComparedHistory& history : comparison.histories) {
    if (!rows.empty() && rows.front()->quantity != history.quantity) print();
    if (history.largest > 0.0 || history.difference > 0.0) rows.push_back(&history);
  }
  if (!rows.empty()) print();
}

void printChecks(const Comparison& comparison) {
  if (comparison.checks.empty()) return;
  fmt::print("\n{:<17} {:<20} {:>13} {:>17} {:>17} {:>17} {:>11}\n", "checked", "where", "time [s]",
             "reference", "modal", "direct", "difference");
  for (const ComparedCheck& check : comparison.checks) {
    const CheckResult& m = check.modal;
    const CheckResult& d = check.direct;
    fmt::print("{:<17} {:<20} {:>13} {:>17.10g} {:>17} {:>17} {:>11}  {}\n", m.quantity, m.where,
               m.time ? fmt::format("{:.9g}", *m.time) : "-", m.reference, valueOrDash(m.computed),
               valueOrDash(d.computed),
               m.computed && d.computed ? fmt::format("{:+.2e}", *d.computed - *m.computed) : "-",
               check.resultWithVerdict().passed ? "pass" : "FAIL");
  }
}

void printEvents(const Deck& study, const Comparison& comparison) {
  constexpr std::size_t kShown = 20;
  if (comparison.events.empty()) return;
  fmt::print("\n{:<20} {:<16} {:>4} {:>17} {:>17} {:>11}\n", "event at", "kind", "no.", "modal [s]",
             "direct [s]", "difference");
  for (std::size_t i = 0; i < std::min(comparison.events.size(), kShown); ++i) {
    const ComparedEvent& e = comparison.events[i];
    fmt::print("{:<20} {:<16} {:>4} {:>17} {:>17} {:>11}\n", bodyName(study, e.contact),
               nameOfEventKind(e.kind), e.index, valueOrDash(e.modal), valueOrDash(e.direct),
               e.modal && e.direct ? fmt::format("{:+.2e}", *e.direct - *e.modal) : "-");
  }
  if (comparison.events.size() > kShown) fmt::print("... and {} more\n", comparison.events.size() - kShown);
}

void printCausesOfDifference(const Deck& study, const Simulation& modal, const Comparison& comparison) {
  const ComparisonCauses& causes = comparison.causes;
  fmt::print("\nwhy they differ (rms over all displacements, of their size)\n");
  fmt::print("  direct - modal                          {:.2e}\n", causes.difference);
  if (causes.rounding)
    fmt::print("  step of the direct run                  halving it changes no more than rounding\n");
  else if (causes.discretisation)
    fmt::print(
        "  step of the direct run                  {:.2e}  observed order {:.2f} (steps h, h/2, h/4)\n",
        *causes.discretisation, *causes.order);
  else if (causes.order)
    fmt::print("  step of the direct run                  halving it does not converge (order {:.2f})\n",
               *causes.order);
  if (causes.withoutStepError)
    fmt::print("  direct at a quarter of its step - modal {:.2e}\n", *causes.withoutStepError);
  if (causes.withFinerModalStep)
    fmt::print("  direct - modal at a quarter of its step {:.2e}\n", *causes.withFinerModalStep);
  if (causes.withBothStepsFiner)
    fmt::print("  both at a quarter of their steps        {:.2e}\n", *causes.withBothStepsFiner);
  if (causes.withoutNumericalDamping)
    fmt::print("  without numerical damping               {:.2e}\n", *causes.withoutNumericalDamping);
  if (causes.withResidual)
    fmt::print("  with residual vectors at the contacts   {:.2e}\n", *causes.withResidual);
  if (causes.withoutResidual)
    fmt::print("  without the residual vectors            {:.2e}\n", *causes.withoutResidual);
  if (modal.basis.complete && modal.basis.residualVectors == 0) {
    fmt::print("  the basis is complete: no mode is left out\n");
    return;
  }
  if (study.contacts.empty()) return;
  fmt::print(
      "  truncation indicator (flexibility left out over that of the contact's spring: `ricochet manual "
      "basis`)\n");
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const Vec3& now = modal.truncation[i].indicator;
    const Vec3& before = modal.truncation[i].withoutResidual;
    fmt::print("    {:<20} {:.3g} along the normal, {:.3g} and {:.3g} along the tangents\n",
               study.contacts[i].name, shareRoundedToZero(now[0]), shareRoundedToZero(now[1]),
               shareRoundedToZero(now[2]));
    if (modal.basis.residualVectors > 0)
      fmt::print("    {:<20} {:.3g}, {:.3g} and {:.3g} without the residual vectors\n", "",
                 shareRoundedToZero(before[0]), shareRoundedToZero(before[1]), shareRoundedToZero(before[2]));
  }
}

struct CompareArguments {
  DeckArgument deck;
  bool quick{false};   // true: without the runs that find the causes of the difference
  bool causes{false};  // true: runs that find the causes are made, however long they take
  bool quiet{false};
  ComparisonSettings settings;
};

/// Estimates and prints the time of all runs, and omits the runs that find the causes if all runs would take
/// long.
void decideWhetherToFindCauses(const Deck& study, const Simulation& modal, const Simulation& direct,
                               const CompareArguments& arguments, ComparisonSettings& settings) {
  constexpr double kLong = 600.0;  // limit of a long time [s]
  // Runs with steps h, h/2, h/4, without output and without numerical damping, in units of the run with step
  // h; the modal run has no h/2, and one with other modes.
  constexpr double kModalRuns = 8.0, kDirectRuns = 9.0;
  const double ofModal = estimatedWallTime(study, modal).value_or(0.0);
  const double ofDirect = estimatedWallTime(study, direct).value_or(0.0);
  double seconds = ofModal + ofDirect;
  const double withCauses = kModalRuns * ofModal + kDirectRuns * ofDirect;
  const bool isTooLong = settings.causes && !arguments.causes && withCauses > kLong;
  if (isTooLong) settings.causes = false;
  if (settings.causes) seconds = withCauses;
  if (arguments.quiet) return;
  if (isTooLong)
    fmt::print(
        "the runs that say why the modes differ are left out: all would take about {}; --causes makes them\n",
        durationText(withCauses));
  if (seconds >= 1.0) fmt::print("takes about {}\n", durationText(seconds));
}

int runCompareCommand(const CompareArguments& arguments) {
  const Deck study = readDeckWithRun(arguments.deck);
  ComparisonSettings settings = arguments.settings;
  const std::filesystem::path target = settings.result.value_or(study.output.file);
  settings.result = target;
  settings.progress = !arguments.quiet;
  settings.causes = !arguments.quick;
  requireCreatableFile(target);
  // checks the file before the basis is extracted
  requireWritableResult(target, inputFilesOf(study), settings.force);
  const auto modal =
      runWhileShowingWaiting(!arguments.quiet, "extracting the basis", [&] { return prepare(study); });
  const auto direct = prepareDirectSimulation(study, modal.get());
  requireKnownNodeMotions(study, *modal, true);
  requireKnownNodeMotions(study, *direct, true);
  decideWhetherToFindCauses(study, *modal, *direct, arguments, settings);
  const Comparison comparison = compareModalAndDirectRuns(study, *modal, *direct, settings);
  if (!arguments.quiet) {
    if (!study.title.empty()) fmt::print("{}\n", study.title);
    printRunSettings(*modal, comparison.modal, comparison.modalSeconds);
    printRunSettings(*direct, comparison.direct, comparison.directSeconds);
    if (comparison.areBothRunsComplete()) {
      fmt::print("  the direct run takes {:.3g} times as long\n", comparison.wallTimeRatio());
      printComparedHistories(comparison);
      printChecks(comparison);
      printEvents(study, comparison);
      printContactTotals(study, comparison);
      if (settings.causes) printCausesOfDifference(study, *modal, comparison);
      fmt::print("\nverdict: {}\n", comparisonVerdictText(study, comparison));
      fmt::print("{}: both runs, and /comparison\n", target.string());
    }
  }
  if (comparison.areBothRunsComplete() && !comparison.isInStaticBalance()) {
    fmt::print(
        stderr,
        "ricochet: {}: the forces at dofs without mass do not balance, by {:.2g} of their size: both modes "
        "may leave out the same term there; give these nodes a mass, however small\n",
        arguments.deck.name(), comparison.imbalance);
    return kFailure;
  }
  if (comparison.areBothRunsComplete()) {
    std::vector<CheckResult> checks;
    for (const ComparedCheck& check : comparison.checks) checks.push_back(check.resultWithVerdict());
    return exitStatusOfChecks(checks, arguments.deck.file, arguments.quiet);
  }
  const RunSummary& failed =
      comparison.modal.report.status != RunStatus::complete ? comparison.modal : comparison.direct;
  fmt::print(stderr, "ricochet: {}: {}: {}; {} holds the runs up to there\n", arguments.deck.name(),
             &failed == &comparison.modal ? "modal" : "direct", failureTextOfRun(study, failed),
             target.string());
  return kFailure;
}

}  // namespace

Command addCompareCommand(CLI::App& app) {
  CLI::App* compare =
      app.add_subcommand("compare", "Run a deck in both modes and tell how and why they differ");
  const auto arguments = std::make_shared<CompareArguments>();
  addDeckArgument(*compare, arguments->deck);
  addOutputFileOptions(*compare, arguments->settings.result, arguments->settings.force,
                       "Result file with both runs");
  compare->add_flag("--quick", arguments->quick, "Two runs only, without those that say why they differ");
  compare
      ->add_flag("--causes", arguments->causes,
                 "Also the runs that say why they differ where all would take more than ten minutes")
      ->excludes("--quick");
  addQuietOption(*compare, arguments->quiet, "errors and checks that fail");
  return {compare, [arguments] { return runCompareCommand(*arguments); }};
}

}  // namespace ricochet
