#include "verification/cross_check/laws/laws.hpp"

#include "verification/cross_check/campaign.hpp"
#include "verification/cross_check/known_faults.hpp"
#include "verification/cross_check/laws/draw_parts.hpp"
#include "verification/cross_check/laws/judge.hpp"
#include "verification/cross_check/minimise.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace ricochet::cross {
namespace {

struct LawArguments : Campaign {
  bool refusals{false};
  double seconds{2.0};
  int integrals{1};  ///< the equations of one in this number of models are also integrated without the engine
  int columns{100};
  int restarts{8};  ///< one in this number of models is also restarted
};

/// Counts over all models.
struct LawTally {
  std::array<int, kLawFaultKinds> faults{};
  std::map<std::string, int> taken, late;
  std::map<std::string, int> refusals;
  int runs{0}, centred{0}, integrated{0}, known{0}, disagree{0}, mended{0};
  double compared{0.0};

  void add(const LawExamination& e) {
    runs += e.runs ? 1 : 0;
    compared += e.comparedUntil;
    centred += e.throughCentre ? 1 : 0;
    integrated += e.integrated ? 1 : 0;
    for (const std::string& column : e.taken) ++taken[column];
    for (const std::string& column : e.late) ++late[column];
    for (const auto& [column, text] : e.refused) ++refusals[column + ": " + text.substr(0, 160)];
    for (const LawFault& fault : e.faults) ++faults[static_cast<std::size_t>(fault.kind)];
  }

  void print(int models, bool withRefusals) const {
    fmt::print("{} models, {} taken by some column, {:.1f} durations compared before near starts part\n",
               models, runs, compared);
    fmt::print("  the equations of {} were integrated alone; {} push a body to the centre of its obstacle\n",
               integrated, centred);
    for (const auto& [column, count] : taken) {
      const auto slow = late.find(column);
      fmt::print("  {:26} {} models{}\n", column, count,
                 slow == late.end() ? std::string{} : fmt::format(", {} take too long", slow->second));
    }
    for (std::size_t i = 0; i < faults.size(); ++i)
      if (faults[i] > 0) fmt::print("  {:>6} {}\n", faults[i], nameOf(static_cast<LawFaultKind>(i)));
    if (withRefusals)
      for (const auto& [text, count] : refusals) fmt::print("  {:>6} {}\n", count, text);
    fmt::print("{} models disagree, {} more are known to, {} no longer do\n", disagree, known, mended);
  }
};

/// First drawn model that the program accepts: a random deck may be contradictory, or need too short steps.
PartModel drawAcceptedModel(const LawArguments& arguments, int index, const LawEffort& effort,
                            LawExamination& found) {
  constexpr int kDraws = 12;
  PartModel model;
  for (int attempt = 0; attempt < kDraws && !found.runs; ++attempt) {
    if (arguments.refusals && found.taken.empty() && !found.refused.empty())
      fmt::print("no column takes it: {}\n", found.refused.begin()->second);
    found = {};
    model = drawPartModel(arguments.seed, static_cast<std::uint64_t>(index), attempt);
    found = examineLaws(model, effort);
  }
  return model;
}

/// Writes the smallest model found with the first fault.
void writeMinimisedLaws(const LawArguments& arguments, int index, const PartModel& model,
                        const LawExamination& e, const LawEffort& effort) {
  constexpr int kAttempts = 300;
  constexpr double kKeptSize = 0.3;  // fraction of the difference that a smaller model must still show
  const LawFault first = e.faults.front();
  const auto shows = [&](const PartModel& m) {
    const LawExamination other = examineLaws(m, effort);
    const LawFault* fault = other.find(first.kind, first.column);
    return fault != nullptr && fault->size >= kKeptSize * first.size;
  };
  const PartModel small = simplifyFailingModel<PartModel>(
      model, [](const PartModel& m) { return simplifiedModels(m); }, shows, kAttempts);
  const LawExamination last = examineLaws(small, effort);
  DeckHead head = last.head;
  const LawFault* fault = last.find(first.kind, first.column);
  std::string text = fault == nullptr ? first.text : fault->text;
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '"', '\'');
  std::ranges::replace(text, '\\', '/');
  std::string name = fmt::format("{}-{}", nameOf(first.kind), first.column);
  std::ranges::replace(name, ' ', '-');
  head.title = fmt::format("{}: {}", name, text.substr(0, 200));
  std::ofstream(fmt::format("{}/{}-{}-{}.toml", arguments.write, name, arguments.seed, index))
      << deckOf(small, head);
}

void examineLaws(const LawArguments& arguments, const KnownFaults& known, int index, LawTally& tally,
                 std::mutex& mutex) {
  LawEffort effort{.seconds = arguments.seconds, .tells = arguments.only.has_value()};
  effort.columns = arguments.columns;
  effort.index = index;
  effort.integrates = arguments.integrals > 0 && index % arguments.integrals == 0;
  effort.restarts = arguments.restarts > 0 && index % arguments.restarts == 0;
  LawExamination e;
  const PartModel model = drawAcceptedModel(arguments, index, effort, e);
  effort.tells = false;
  const bool isKnown = known.contains(arguments.seed, index);
  if (arguments.only && !arguments.write.empty())
    std::ofstream(fmt::format("{}/model-{}-{}.toml", arguments.write, arguments.seed, index))
        << deckOf(model, e.head);
  if (!arguments.write.empty() && !e.faults.empty()) writeMinimisedLaws(arguments, index, model, e, effort);
  const std::lock_guard lock(mutex);
  tally.add(e);
  for (const LawFault& fault : e.faults)
    fmt::print("model {} of seed {}: {}{}: {}: {} [{}]\n", index, arguments.seed, isKnown ? "known: " : "",
               nameOf(fault.kind), fault.column, fault.text, model.laws());
  if (isKnown && e.faults.empty()) {
    ++tally.mended;
    fmt::print("model {} of seed {} no longer disagrees: take it out of the list of known ones\n", index,
               arguments.seed);
  }
  if (!e.faults.empty()) ++(isKnown ? tally.known : tally.disagree);
}

int runLaws(const LawArguments& arguments) {
  const KnownFaults known(arguments.known);
  LawTally tally;
  std::mutex mutex;
  arguments.forEachModel([&](int index) { examineLaws(arguments, known, index, tally, mutex); });
  tally.print(arguments.only ? 1 : arguments.models, arguments.refusals);
  return tally.disagree + tally.mended > 0 ? 1 : 0;
}

}  // namespace

void addLaws(CLI::App& app, int& status) {
  CLI::App* laws = app.add_subcommand("laws", "Every law in every scheme, against each other");
  const auto arguments = std::make_shared<LawArguments>();
  arguments->addOptions(*laws);
  laws->add_flag("--refusals", arguments->refusals, "Print why columns refuse models, and how often");
  laws->add_option("--seconds", arguments->seconds, "Most processor time of a run");
  laws->add_option("--columns", arguments->columns, "Most columns of a model; event is always among them")
      ->check(CLI::Range(2, 100));
  laws->add_option(
      "--integrals", arguments->integrals,
      "The equations of one model of so many are integrated alone, where they are plain; 0: none");
  laws->add_option("--restarts", arguments->restarts, "One model of so many is also restarted; 0: none");
  laws->callback([arguments, &status] { status = runLaws(*arguments); });
}

}  // namespace ricochet::cross
