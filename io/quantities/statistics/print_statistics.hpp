#pragma once

#include "io/quantities/statistics/contact_statistics.hpp"

#include <span>
#include <string>

namespace ricochet {

/// The statistics as a table for a terminal: one line per contact and window.
std::string formatStatistics(const Deck& study, std::span<const ContactSummary> summaries);

}  // namespace ricochet
