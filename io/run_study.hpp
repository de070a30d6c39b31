#pragma once

#include "engine/transient.hpp"
#include "io/checks.hpp"
#include "io/simulation.hpp"
#include "io/statistics/contact_statistics.hpp"
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
  bool resume{false};                           ///< go on with what a killed or interrupted run left of it
};

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

/// Runs the transient of a study prepared in either mode: steps, result file, checks. Ctrl-C stops it
/// cleanly. A run that diverges or is interrupted leaves a readable file with status "failed" and the reason.
/// One that is interrupted or killed, or meets a full disk, can be resumed, and then leaves the same datasets
/// as if nothing had happened. Throws TargetError (nothing written) and ResultError (what was flushed stays).
RunSummary runStudy(const Study& study, const Simulation& simulation, const RunSettings& settings);

class ResultFile;

/// The same with a result file that more than one run writes to, or none; it stays open. `audience` is shown
/// the run beside the checks, at instants of its own.
struct Audience {
  std::vector<double> instants;          ///< [s]
  TransientObserver* observer{nullptr};  ///< `instant` counts from 0
  bool wantsEvents{false};               ///< all of them, in the summary
};
RunSummary runStudy(const Study& study, const Simulation& simulation, ResultFile* result, bool progress,
                    const Audience& audience = {});

/// Instants that the deck asks to be archived [s]; empty: every so many steps.
ArchiveTimes archiveTimesOf(const Study& study);

/// What the deck says of the run: interval, step, archived instants.
TransientOptions optionsOf(const Study& study, const Simulation& simulation);

/// Why a run did not complete, in words: the instant and the contact.
std::string failureOf(const Study& study, const Report& report);
std::string failureOf(const Study& study, const RunSummary& summary);

}  // namespace ricochet
