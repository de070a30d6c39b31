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

/// Index of the first number that is not finite.
std::optional<std::size_t> indexOfFirstNonFinite(std::span<const double> numbers) noexcept;

/// Throws ResultError with the instant of the first row that holds a number that is not finite; one row per
/// instant.
void requireFiniteRows(std::string_view dataset, std::span<const double> rows, std::span<const double> times);

/// Names a total or energy of a run that is not finite: "the impulse of contact sole"; empty if all are
/// finite.
std::string findNonFiniteTotal(const Deck& study, const RunSummary& summary);

/// Names a contact statistic that is not finite; empty if all are finite.
std::string findNonFiniteStatistic(const Deck& study, const ContactStatistics& statistics);

}  // namespace ricochet
