#include "verification/cross_check/contacts.hpp"

#include "verification/cross_check/campaign.hpp"
#include "verification/cross_check/draw_model.hpp"
#include "verification/cross_check/engine_run.hpp"
#include "verification/cross_check/examine.hpp"
#include "verification/cross_check/known_faults.hpp"
#include "verification/cross_check/minimise.hpp"
#include "verification/cross_check/reference.hpp"
#include "verification/cross_check/rigid_system.hpp"
#include "verification/cross_check/simplify_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>

namespace ricochet::cross {
namespace {

struct Arguments : Campaign {
  bool oracleOnly{false};
};

/// Counts over all models.
struct Tally {
  std::array<int, kFaultKinds> faults{};
  std::array<int, 5> ends{};
  int silent{0}, sensitive{0}, whole{0}, stopsRightly{0}, bouncesOn{0}, moreau{0}, penalty{0}, undecided{0};
  int known{0}, disagree{0}, mended{0};
  double compared{0.0};

  void add(const Examination& e) {
    if (e.silent)
      ++silent;
    else
      ++ends[static_cast<std::size_t>(e.end)];
    sensitive += e.sensitive ? 1 : 0;
    whole += e.comparedUntil >= 1.0 - 1e-12 ? 1 : 0;
    stopsRightly += e.stopsRightly ? 1 : 0;
    bouncesOn += e.bouncesOn ? 1 : 0;
    compared += e.comparedUntil;
    moreau += e.moreauJudged ? 1 : 0;
    penalty += e.penaltyJudged ? 1 : 0;
    undecided += e.undecided ? 1 : 0;
    for (const Fault& fault : e.faults) ++faults[static_cast<std::size_t>(fault.kind)];
  }

  void print(int models) const {
    fmt::print("{} models, {:.1f} durations compared with the oracle ({} models to the end)\n", models,
               compared, whole);
    fmt::print(
        "  oracle: {} complete, {} not unique from some instant on, {} without solution, {} with too many "
        "events; {} with friction that turns\n",
        ends[0], ends[1], ends[2], ends[3], silent);
    fmt::print(
        "  {} depend on rounding from some instant on; event stops in {} where no motion satisfies the "
        "laws, and in {} bounces without end\n",
        sensitive, stopsRightly, bouncesOn);
    fmt::print("  {} judged by moreau, {} by penalty contacts; {} undecided\n", moreau, penalty, undecided);
    for (std::size_t i = 0; i < faults.size(); ++i)
      if (faults[i] > 0) fmt::print("  {:>6} {}\n", faults[i], nameOf(static_cast<FaultKind>(i)));
    fmt::print("{} models disagree, {} more are known to, {} no longer do\n", disagree, known, mended);
  }
};

/// Writes the smallest model found with the first fault, with the motion of the oracle as checks.
void writeMinimised(const Arguments& arguments, int index, const ContactModel& model, const Examination& e) {
  constexpr int kAttempts = 400;
  constexpr double kKeptSize = 0.3;  // fraction of the difference that a smaller model must still show
  const FaultKind kind = e.faults.front().kind;
  const double size = e.faults.front().size;
  const auto shows = [&](const ContactModel& m) {
    const Examination other = examine(m, isFaultOfApproximateScheme(kind));
    const Fault* fault = other.find(kind);
    return fault != nullptr && fault->size >= kKeptSize * size;
  };
  const ContactModel small = simplifyFailingModel<ContactModel>(model, simplifiedModels, shows,
                                                                kind == FaultKind::slow ? 0 : kAttempts);
  const Examination last = examine(small);
  const Fault* fault = last.find(kind);
  std::string name = nameOf(kind);
  std::ranges::replace(name, ' ', '-');
  const std::string text = fault == nullptr ? std::string{} : fault->text;
  DeckChoice choice = fault == nullptr ? DeckChoice{} : fault->choice;
  choice.title = fmt::format("{}: {}", name, text.substr(0, text.find_first_of("\"\n")));
  choice.expected = last.expected;
  choice.checkGaps = !isFaultOfApproximateScheme(kind) || last.expected.empty();
  if (isFaultOfApproximateScheme(kind) && !last.silent)
    for (ExpectedValue& value : choice.expected) value.tolerance = 1e-3 * last.length;
  std::ofstream(fmt::format("{}/{}-{}-{}.toml", arguments.write, name, arguments.seed, index))
      << deckOf(small, choice);
}

/// Prints the events of the oracle and of event.
void printEvents(const ContactModel& model) {
  const RigidSystem system = assemble(model);
  const std::vector<double> instants = outputInstants(model.duration, 20);
  if (!system.hasTurningFriction) {
    const OracleRun run = computeOracleMotion(system, instants, {}, true);
    fmt::print("oracle:\n{}known until {}\n", run.history, run.until);
    for (const OracleVariant& variant : Reference::kFiner) {
      const OracleRun finer = computeOracleMotion(system, instants, variant);
      fmt::print("with {} of the limits of zero{}: {} until {}, {} events\n", variant.factor,
                 variant.seesPlaces ? ", gaps by the places" : "", static_cast<int>(finer.end), finer.until,
                 finer.events);
    }
  }
  const EngineRun run =
      runDeck(deckOf(model, {}), static_cast<int>(model.bodies.size()), model.planar, instants, 10.0);
  fmt::print("event:\n{}ends at {} {}\n", run.events, run.time, run.failure);
}

void examineOneModel(const Arguments& arguments, const KnownFaults& known, int index, Tally& tally,
                     std::mutex& mutex) {
  const ContactModel model = drawContactModel(arguments.seed, static_cast<std::uint64_t>(index));
  const Examination e = examine(model, !arguments.oracleOnly);
  const bool isKnown = known.contains(arguments.seed, index);
  if (!arguments.write.empty() && !e.faults.empty()) writeMinimised(arguments, index, model, e);
  const std::lock_guard lock(mutex);
  tally.add(e);
  for (const Fault& fault : e.faults)
    fmt::print("model {} of seed {}: {}{}: {}\n", index, arguments.seed, isKnown ? "known: " : "",
               nameOf(fault.kind), fault.text);
  if (isKnown && e.faults.empty()) {
    ++tally.mended;
    fmt::print("model {} of seed {} no longer disagrees: take it out of the list of known ones\n", index,
               arguments.seed);
  }
  if (!e.faults.empty()) ++(isKnown ? tally.known : tally.disagree);
  if (arguments.only) printEvents(model);
  if (arguments.only && !arguments.write.empty())
    std::ofstream(fmt::format("{}/model-{}-{}.toml", arguments.write, arguments.seed, index))
        << deckOf(model, {});
}

int runContacts(const Arguments& arguments) {
  const KnownFaults known(arguments.known);
  Tally tally;
  std::mutex mutex;
  arguments.forEachModel([&](int index) { examineOneModel(arguments, known, index, tally, mutex); });
  tally.print(arguments.only ? 1 : arguments.models);
  constexpr double kMostUndecided = 0.005;  // part of the models
  const bool tooManyUndecided = tally.undecided > 1 + static_cast<int>(kMostUndecided * arguments.models);
  if (tooManyUndecided) fmt::print("too many models are undecided\n");
  return tally.disagree + tally.mended > 0 || tooManyUndecided ? 1 : 0;
}

}  // namespace

void addContacts(CLI::App& app, int& status) {
  CLI::App* contacts = app.add_subcommand("contacts", "Rigid bodies on rigid contacts with friction");
  const auto arguments = std::make_shared<Arguments>();
  arguments->addOptions(*contacts);
  contacts->add_flag("--oracle-only", arguments->oracleOnly, "Leave out moreau and penalty contacts");
  contacts->callback([arguments, &status] { status = runContacts(*arguments); });
}

}  // namespace ricochet::cross
