#include "io/quantities/checks/not_finite.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/quantities/checks/run_summary.hpp"
#include "io/quantities/statistics/contact_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

std::optional<std::size_t> indexOfFirstNonFinite(std::span<const double> numbers) noexcept {
  // 0 times x is 0 for a finite x and NaN for any other, and a sum of zeros cannot overflow. Eight sums run
  // in parallel.
  constexpr std::size_t kTogether = 8;
  std::array<double, kTogether> sums{};
  std::size_t i = 0;
  for (; i + kTogether <= numbers.size(); i += kTogether)
    for (std::size_t k = 0; k < kTogether; ++k) sums[k] += 0.0 * numbers[i + k];
  for (; i < numbers.size(); ++i) sums[0] += 0.0 * numbers[i];
  if (std::ranges::none_of(sums, [](double sum) { return std::isnan(sum); })) return std::nullopt;
  const auto found = std::ranges::find_if(numbers, [](double x) { return !std::isfinite(x); });
  return static_cast<std::size_t>(found - numbers.begin());
}

void requireFiniteRows(std::string_view dataset, std::span<const double> rows,
                       std::span<const double> times) {
  const std::optional<std::size_t> place = indexOfFirstNonFinite(rows);
  if (!place) return;
  throw ResultError(fmt::format("{} is no finite number at t = {:.9g} s: what it is made of is too large",
                                dataset, times[*place / (rows.size() / times.size())]));
}

std::string findNonFiniteTotal(const Deck& study, const RunSummary& summary) {
  const auto isBad = [](double x) { return !std::isfinite(x); };
  for (std::size_t i = 0; i < summary.totals.size(); ++i) {
    const ContactTotals& t = summary.totals[i];
    const std::string& name = study.contacts[i].name;
    if (isBad(t.impulse)) return fmt::format("the impulse of contact {}", name);
    if (isBad(t.frictionEnergy)) return fmt::format("the friction energy of contact {}", name);
    if (isBad(t.peakForce)) return fmt::format("the largest normal force of contact {}", name);
  }
  for (std::size_t i = 0; i < summary.links.size(); ++i) {
    const LinkState& link = summary.links[i];
    if (isBad(link.stored) || isBad(link.dissipated))
      return fmt::format("the energy of link {}", study.links[i].name);
    if (indexOfFirstNonFinite(link.force) || indexOfFirstNonFinite(link.memory))
      return fmt::format("the force of link {}", study.links[i].name);
  }
  const EnergyLedger& e = summary.report.energy;
  const std::array parts{std::pair("kinetic", e.kinetic),   std::pair("elastic", e.elastic),
                         std::pair("contact", e.contact),   std::pair("damping", e.damping),
                         std::pair("friction", e.friction), std::pair("external", e.external),
                         std::pair("initial", e.initial)};
  for (const auto& [name, value] : parts)
    if (isBad(value)) return fmt::format("the {} energy", name);
  return isBad(summary.report.energyError) ? "the energy residual" : "";
}

std::string findNonFiniteStatistic(const Deck& study, const ContactStatistics& statistics) {
  for (std::size_t i = 0; i < statistics.contactFollowers().size(); ++i) {
    const ContactFollower& follower = statistics.contactFollowers()[i];
    const ContactRequest& contact = study.contacts[study.statistics->contacts[i]];
    for (const WindowTotals& window : follower.windowTotals())
      for (const StatisticColumn& each : statisticColumns())
        if (each.appliesToWear(contact.wear.get()) && !std::isfinite(each.value(window, contact.wear.get())))
          return fmt::format("the statistic {} of contact {}", each.name, contact.name);
    for (std::size_t w = 0; w < follower.windowTotals().size(); ++w)
      if (indexOfFirstNonFinite(follower.wearWorkOfSectors(w)))
        return fmt::format("the wear work of a sector of contact {}", contact.name);
  }
  return {};
}

}  // namespace ricochet
