#pragma once

#include "engine/transient.hpp"
#include "io/checks.hpp"
#include "io/simulation.hpp"
#include "io/study.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct RunSettings {
  std::optional<std::filesystem::path> result;  ///< HDF5 file to write; absent: none
  bool force{false};                            ///< replace a complete result
  bool progress{true};                          ///< show progress on standard error
};

/// What a run left behind.
struct RunSummary {
  Report report;
  std::vector<Event> events;
  std::vector<ContactTotals> totals;  ///< per contact
  std::vector<CheckResult> checks;
  std::size_t rows{0};  ///< archived rows in the result file
  double seconds{0.0};  ///< wall time of the time stepping, output included [s]

  bool passed() const;
};

/// Runs the transient of a prepared study: steps, result file, checks. Ctrl-C stops it cleanly.
/// A run that diverges or is interrupted leaves a readable file with status "failed" and the reason.
/// Throws TargetError (nothing written) and ResultError (what was flushed stays).
RunSummary runStudy(const Study& study, const Simulation& simulation, const RunSettings& settings);

/// Why a run did not complete, in words: the instant and the contact.
std::string failureOf(const Study& study, const Report& report);

}  // namespace ricochet
