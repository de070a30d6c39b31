#pragma once

#include "engine/transient/transient.hpp"
#include "io/quantities/checks/checks.hpp"
#include "io/quantities/statistics/contact_statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// What a run left behind.
struct RunSummary {
  Report report;
  std::vector<Event> events;  ///< all where a check looks at them, else the first; report.events counts
  std::vector<ContactTotals> totals;  ///< per contact
  std::vector<LinkState> links{};     ///< at the end
  std::vector<CheckResult> checks;
  std::vector<ContactSummary> statistics{};  ///< of the contacts that the deck asks for
  std::size_t rows{0};                       ///< archived rows in the result file
  int factorizations{0};                     ///< of a direct run
  Eigen::Index fill{0};                      ///< entries of the largest triangular factor
  double seconds{0.0};                       ///< wall time of the time stepping, output included [s]
  std::string notFinite{};                   ///< what became infinite where the motion did not
  std::optional<double> resumedAt{};         ///< of a run that went on: instant of its checkpoint [s]

  bool passed() const;
};

}  // namespace ricochet
