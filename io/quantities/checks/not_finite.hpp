#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ricochet {

class ContactStatistics;
struct RunSummary;
struct Deck;

/// Place of the first number that is not finite.
std::optional<std::size_t> placeNotFinite(std::span<const double> numbers) noexcept;

/// Throws ResultError with the instant of the first row that holds such a number; a row per instant.
void requireFiniteRows(std::string_view dataset, std::span<const double> rows, std::span<const double> times);

/// What of the totals and energies of a run is no finite number: "the impulse of contact sole"; empty: none.
std::string totalNotFinite(const Deck& study, const RunSummary& summary);

/// The same of statistics of contacts.
std::string statisticNotFinite(const Deck& study, const ContactStatistics& statistics);

}  // namespace ricochet
