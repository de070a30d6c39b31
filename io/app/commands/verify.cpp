#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/archive/result_format.hpp"
#include "io/result/result_verdict.hpp"
#include "io/result/target.hpp"
#include "io/text/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

namespace ricochet {
namespace {

/// Results of the checks of one deck, after the runs that they need; `failure`: why a run did not complete.
std::vector<CheckResult> verifyStudy(const Deck& study, std::string& failure) {
  const auto isDirect = [](const CheckRequest& check) { return check.direct; };
  const bool direct = std::any_of(study.checks.begin(), study.checks.end(), isDirect);
  const bool modal = !std::all_of(study.checks.begin(), study.checks.end(), isDirect);
  std::unique_ptr<Simulation> simulation;
  std::vector<CheckResult> results;
  const auto runOne = [&](const Simulation& prepared) {
    requireKnownNodeMotions(study, prepared, false);
    const RunSummary summary = runStudy(study, prepared, {.result = {}, .force = false, .progress = true});
    if (summary.report.status != RunStatus::complete) failure = failureTextOfRun(study, summary);
    results.insert(results.end(), summary.checks.begin(), summary.checks.end());
  };
  if (modal) {
    simulation = prepare(study);
    if (!study.transient) return CheckCollector(study, *simulation).evaluateChecks(nullptr, nullptr);
    runOne(*simulation);
  }
  if (direct) runOne(*prepareDirectSimulation(study, simulation.get()));
  return results;
}

InputProblem problemOfMissingChecks(const std::filesystem::path& deck) {
  InputProblem problem;
  problem.where.file = deck.string();
  problem.where.line = 1;
  problem.where.column = 1;
  problem.path = "checks";
  problem.problem = "missing: this deck has nothing to verify; give [[checks]] (`ricochet manual checks`)";
  return problem;
}

/// Reads a complete result and prints its faults. True if there is none.
bool verifyResult(const std::filesystem::path& path) {
  const ResultVerdict verdict = inspectResultFile(openResult(path));
  if (verdict.isResultSound()) {
    fmt::print("{}: sound: {}, {} values in {} datasets\n", path.string(), verdict.status, verdict.values,
               verdict.datasets);
    return true;
  }
  constexpr std::size_t kShown = 20;
  fmt::print("{}: DAMAGED\n", path.string());
  for (std::size_t i = 0; i < std::min(verdict.faults.size(), kShown); ++i)
    fmt::print("  {}\n", verdict.faults[i]);
  if (verdict.faults.size() > kShown) fmt::print("  ... and {} more\n", verdict.faults.size() - kShown);
  return false;
}

struct VerifyArguments {
  std::vector<std::filesystem::path> files;  // decks and results to verify
  std::vector<std::string> changes;          // values put into each deck
  bool json{false};
};

int verifyDecksAndResults(const VerifyArguments& arguments) {
  std::vector<std::filesystem::path> decks, resultFiles;
  for (const auto& file : arguments.files) (hasHdf5Signature(file) ? resultFiles : decks).push_back(file);
  if (!arguments.changes.empty() && !resultFiles.empty())
    throw TargetError(fmt::format("--set is for decks, and {} is a result", resultFiles.front().string()));
  // all decks are read before the first run, so that an error in the last deck is reported at once
  std::vector<Deck> studies;
  std::vector<InputProblem> problems;
  for (const auto& deck : decks) {
    try {
      studies.push_back(DeckArgument{deck, arguments.changes}.readStudy());
      if (studies.back().checks.empty()) problems.push_back(problemOfMissingChecks(deck));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));

  std::vector<CheckResult> results;
  int broken = 0;
  for (const auto& file : resultFiles)
    if (!verifyResult(file)) ++broken;
  if (decks.empty()) return broken == 0 ? kSuccess : kFailure;
  const InterruptGuard guard;
  for (const Deck& study : studies) {
    std::string failure;
    std::vector<CheckResult> found = verifyStudy(study, failure);
    if (InterruptGuard::isStopRequested()) {
      fmt::print(stderr, "ricochet: {}: interrupted; it and what comes after it is not judged\n",
                 study.deckFile.string());
      ++broken;
      break;
    }
    for (CheckResult& result : found) results.push_back(std::move(result));
    if (failure.empty()) continue;
    fmt::print(stderr, "ricochet: {}: {}\n", study.deckFile.string(), failure);
    ++broken;
  }
  const auto passed =
      std::count_if(results.begin(), results.end(), [](const CheckResult& r) { return r.passed; });
  const auto failed = static_cast<std::ptrdiff_t>(results.size()) - passed;
  if (arguments.json)
    fmt::print("{}", checksAsJson(results));
  else
    fmt::print("{}{} passed, {} failed\n", formatChecks(results), passed, failed);
  return failed == 0 && broken == 0 ? kSuccess : kFailure;
}

}  // namespace

Command addVerifyCommand(CLI::App& app) {
  CLI::App* verify = app.add_subcommand(
      "verify", "Run decks and judge their checks, without writing a result; or read all of a result");
  const auto arguments = std::make_shared<VerifyArguments>();
  verify
      ->add_option(
          "FILE", arguments->files,
          "Decks with [[checks]]; results, of which every block is read and compared with its checksum")
      ->required();
  addSetOption(*verify, arguments->changes, "put into every deck");
  verify->add_flag("--json", arguments->json, "Print the rows of decks as JSON");
  return {verify, [arguments] { return verifyDecksAndResults(*arguments); }};
}

}  // namespace ricochet
