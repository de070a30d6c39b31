#pragma once

#include "engine/transient/transient.hpp"
#include "io/prepare/row_limit.hpp"
#include "io/quantities/checks/checks.hpp"
#include "io/quantities/statistics/contact_statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// Gaps of a contact in the archived rows of a run.
struct GapsSeen {
  double first{0.0};     ///< gap at the start [m]
  double smallest{0.0};  ///< smallest gap [m]
};

/// Summary of a run, available after its end.
struct RunSummary {
  Report report;
  /// All events if a check needs them, otherwise the first events; report.events gives their number.
  std::vector<Event> events;
  std::vector<ContactTotals> totals;  ///< totals of each contact
  std::vector<GapsSeen> gaps{};  ///< gaps of each contact; empty for a run without rows and for a resumed run
  std::vector<LinkState> links{};  ///< states of the links at the end
  std::vector<CheckResult> checks;
  std::vector<ContactSummary> statistics{};  ///< statistics of the contacts that the deck requests
  std::size_t rows{0};                       ///< archived rows in the result file
  RowLimit rowLimit{};                       ///< which steps became rows
  int factorizations{0};                     ///< number of factorizations of a direct run
  Eigen::Index fill{0};                      ///< entries of the largest triangular factor
  double seconds{0.0};                       ///< wall time of the time stepping, output included [s]
  std::string notFinite{};                   ///< name of an output that is not finite although the motion is
  std::optional<double> resumedAt{};         ///< time of the checkpoint of a resumed run [s]

  bool haveAllChecksPassed() const;
};

}  // namespace ricochet
