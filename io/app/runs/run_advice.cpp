#include "io/app/runs/run_advice.hpp"

#include "engine/study/advice/advice.hpp"
#include "engine/study/push_directions.hpp"
#include "io/app/runs/run_time.hpp"
#include "io/deck/batch_request.hpp"
#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"
#include "io/result/archive_size.hpp"
#include "io/text/progress.hpp"
#include "io/text/size_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace ricochet {
namespace {

/// Time between two archived rows [s]; 0 if this time is unknown or not constant.
double timeBetweenRows(const Deck& deck, const Simulation& simulation) {
  if (!deck.output.times.empty()) return 0.0;
  if (deck.output.interval) return *deck.output.interval;
  const ArchiveTimes even = archiveTimesOfRun(deck, simulation);
  if (even.size() > 1) return deck.transient->duration / static_cast<double>(even.size() - 1);
  return hasEvenSteps(deck, simulation) ? simulation.step * stepsPerRow(deck, simulation) : 0.0;
}

/// True if a parameter of the batch belongs to a [[loads]] entry: its value in the deck may be a placeholder.
bool batchVariesLoad(const Deck& deck, int entry) {
  const std::string path = fmt::format("loads.{}.", entry);
  return deck.batch && std::ranges::any_of(deck.batch->parameters, [&](const BatchParameter& parameter) {
           return parameter.path.starts_with(path);
         });
}

/// Adds advice about loads without a component, and about loads that act on fixed dofs, so that the supports
/// carry them completely.
void adviseOnLoadsThatMoveNothing(const Deck& deck, const Simulation& simulation,
                                  std::vector<std::string>& texts) {
  for (const std::span<const NodalLoad> entry : groupNodalLoadsByDeckEntry(deck)) {
    const auto given = [](const NodalLoad& load) {
      return std::ranges::any_of(load.components, [](double each) { return each != 0.0; });
    };
    const auto movesNothing = [&](const NodalLoad& load) {
      return loadDirection(load, simulation.physical).isZero(0.0);
    };
    if (std::ranges::none_of(entry, given)) {
      if (!batchVariesLoad(deck, entry.front().entry))
        texts.push_back(
            fmt::format("loads[{}]: all its components are zero, and it moves nothing", entry.front().entry));
    } else if (std::ranges::all_of(entry, movesNothing)) {
      texts.push_back(
          fmt::format("loads[{}]: acts only on what supports hold, and moves nothing", entry.front().entry));
    }
  }
}

/// Adds advice about impacts on contacts whose flexibility is mainly that of residual vectors. The
/// flexibility delta that is missing in the modes acts in series with the spring k of the contact. Residual
/// vectors have the static flexibility delta, but move as one mode and cause an additional impact, although
/// the real structure carries the energy away in waves. The error grows with the share delta / (delta + 1/k)
/// = t / (1 + t), t = k delta: pinned tubes struck at several places, with stiffnesses over four decades, had
/// errors of the peak force of less than that share (under 0.03 for t = 0.06, 0.1 for 0.13, 0.6 for 1.3;
/// verification/io/app/runs/residual_impact_test.cpp).
void adviseOnResidualImpacts(const Deck& deck, const Simulation& simulation,
                             std::vector<std::string>& texts) {
  constexpr double kMatters = 0.1;
  if (simulation.basis.residualVectors == 0) return;
  std::size_t worst = 0, count = 0;
  double largest = 0.0;
  for (std::size_t i = 0; i < simulation.truncation.size(); ++i) {
    const double left = simulation.truncation[i].withoutResidual[0];  // missing flexibility along the normal
    if (!(left > kMatters) || !hasGap(deck.contacts[i].obstacle)) continue;
    ++count;
    if (left > largest) worst = i;
    largest = std::max(largest, left);
  }
  if (count == 0) return;
  texts.push_back(
      fmt::format("contact {}: the modes leave out {:.3g} of the flexibility of its spring; residual vectors "
                  "give it back at "
                  "rest, but forces of impacts can err by up to {:.0f} %{}: take more modes until less than "
                  "{} is left out",
                  deck.contacts[worst].name, largest, 100.0 * largest / (1.0 + largest),
                  count > 1 ? fmt::format(" (so it is of {} contacts)", count) : "", kMatters));
}

std::string rowLimitText(const Deck& deck, const Simulation& simulation) {
  constexpr std::size_t kMillion = 1000000;
  const std::size_t most = rowLimitWithoutRequest(deck, simulation);
  return most == kMillion ? "1e6" : fmt::format("{}", most);
}

/// Text with the archived rows of a run whose deck requests none, if not every step is archived, and the key
/// for other rows. `rows`: their number.
std::string archivedRowsText(const Deck& deck, const Simulation& simulation, std::size_t rows) {
  if (!doesDeckRequestNoRows(deck)) return {};
  const int every = stepsPerRow(deck, simulation);
  if (every == 0)
    return fmt::format(" (one each {:.3g} s, and at events; [output] interval asks for others)",
                       deck.transient->duration / static_cast<double>(std::max<std::size_t>(rows, 2) - 1));
  if (every == 1) return {};
  return fmt::format(
      " (a row every {} steps, {:.3g} s: more than 1e6 rows or 1 GB only where [output] asks for them by "
      "`every` or "
      "`interval`)",
      every, every * simulation.step);
}

/// Text with the distance of the rows, if an impact can be over between two of them.
std::optional<std::string> impactsBetweenRowsText(const Deck& deck, const Simulation& simulation) {
  const ShortestImpact impact = shortestImpact(simulation);
  if (!std::isfinite(impact.duration)) return std::nullopt;
  const double apart = timeBetweenRows(deck, simulation);
  if (!(apart > impact.duration)) return std::nullopt;
  return fmt::format(
      "{:.3g} s apart, and an impact on contact {} can be over in {:.3g} s: a drawn peak is then not the "
      "peak",
      apart, deck.contacts[impact.contact].name, impact.duration);
}

}  // namespace

std::vector<std::string> adviceOnRun(const Deck& deck, const Simulation& simulation) {
  if (simulation.mode != Mode::modal) return {};
  std::vector<std::string> texts = adviceOnStudy(deck, simulation);
  adviseOnLoadsThatMoveNothing(deck, simulation, texts);
  adviseOnResidualImpacts(deck, simulation, texts);
  if (!deck.transient) return texts;
  if (const std::optional<std::string> distance = impactsBetweenRowsText(deck, simulation))
    texts.push_back(
        fmt::format("rows are {}; peak forces, checks and statistics of contacts see every step", *distance));
  return texts;
}

std::optional<std::string> adviceOnHistoriesOfBatch(const Deck& deck, const Simulation& simulation) {
  const std::optional<std::string> distance = impactsBetweenRowsText(deck, simulation);
  if (!distance) return std::nullopt;
  return fmt::format("instants of histories are {}; [batch.outputs] see every step", *distance);
}

std::vector<std::string> estimateTextsOfRun(const Deck& deck, const Simulation& simulation) {
  std::vector<std::string> texts;
  if (const ArchiveSize size = estimateArchiveSize(deck, simulation); size.rows > 0)
    texts.push_back(fmt::format("archives about {} rows, {}{}", size.rows, byteCountText(size.bytes()),
                                archivedRowsText(deck, simulation, size.rows)));
  else if (doesDeckRequestNoRows(deck))
    texts.push_back(fmt::format("archives every step, and no more than {} rows where [output] asks for none",
                                rowLimitText(deck, simulation)));
  if (const std::optional<double> seconds = estimatedWallTime(deck, simulation); seconds && *seconds >= 1.0)
    texts.push_back(fmt::format("takes about {}{}", durationText(*seconds),
                                hasEvenSteps(deck, simulation) ? "" : ", if its steps stay as they begin"));
  return texts;
}

}  // namespace ricochet
