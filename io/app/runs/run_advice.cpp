#include "io/app/runs/run_advice.hpp"

#include "engine/study/advice/advice.hpp"
#include "engine/study/push_directions.hpp"
#include "io/app/runs/run_time.hpp"
#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"
#include "io/result/archive_size.hpp"
#include "io/text/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace ricochet {
namespace {

/// Time between two archived rows [s]; 0 where it is not known or not even.
double timeBetweenRows(const Deck& deck, const Simulation& simulation) {
  if (!deck.output.times.empty()) return 0.0;
  if (deck.output.interval) return *deck.output.interval;
  const ArchiveTimes even = archiveTimesOf(deck, simulation);
  if (even.size() > 1) return deck.transient->duration / static_cast<double>(even.size() - 1);
  return hasEvenSteps(deck, simulation) ? simulation.step * stepsPerRow(deck, simulation) : 0.0;
}

/// Loads that supports take up whole: they are given on fixed dofs.
void judgeLoadsOnSupports(const Deck& deck, const Simulation& simulation, std::vector<std::string>& texts) {
  for (const std::span<const NodalLoad> entry : loadsByEntry(deck)) {
    const auto given = [](const NodalLoad& load) {
      return std::ranges::any_of(load.components, [](double each) { return each != 0.0; });
    };
    const auto movesNothing = [&](const NodalLoad& load) {
      return loadDirection(load, simulation.physical).isZero(0.0);
    };
    if (std::ranges::any_of(entry, given) && std::ranges::all_of(entry, movesNothing))
      texts.push_back(
          fmt::format("loads[{}]: acts only on what supports hold, and moves nothing", entry.front().entry));
  }
}

}  // namespace

std::vector<std::string> adviceOnRun(const Deck& deck, const Simulation& simulation) {
  if (simulation.mode != Mode::modal) return {};
  std::vector<std::string> texts = adviceOn(deck, simulation);
  judgeLoadsOnSupports(deck, simulation, texts);
  if (!deck.transient) return texts;
  const ShortestImpact impact = shortestImpact(simulation);
  const double apart = timeBetweenRows(deck, simulation);
  if (apart > impact.duration)
    texts.push_back(
        fmt::format("rows are {:.3g} s apart, and an impact on contact {} can be over in {:.3g} s: a drawn "
                    "peak is then not the "
                    "peak; peak forces, checks and statistics of contacts see every step",
                    apart, deck.contacts[impact.contact].name, impact.duration));
  return texts;
}

std::vector<std::string> estimatesOf(const Deck& deck, const Simulation& simulation) {
  std::vector<std::string> texts;
  if (const ArchiveSize size = archiveSize(deck, simulation); size.rows > 0) {
    const int every = stepsPerRow(deck, simulation);
    const bool isThinned =
        every > 1 && deck.output.every == 0 && !deck.output.interval && deck.output.times.empty();
    texts.push_back(fmt::format(
        "archives about {} rows, {:.3g} MB{}", size.rows, size.megabytes(),
        isThinned
            ? fmt::format(" (a row every {} steps: more than 1e6 rows only where [output] asks for them)",
                          every)
            : ""));
  }
  if (const std::optional<double> seconds = estimatedTime(deck, simulation); seconds && *seconds >= 1.0)
    texts.push_back(fmt::format("takes about {}", durationText(*seconds)));
  return texts;
}

}  // namespace ricochet
