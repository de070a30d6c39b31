#pragma once

#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/checks/run_summary.hpp"

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

/// Runs the transient of a study prepared in either mode: steps, result file, checks. Ctrl-C stops it
/// cleanly. A run that diverges or is interrupted leaves a readable file with status "failed" and the reason.
/// One that is interrupted or killed, or meets a full disk, can be resumed, and then leaves the same datasets
/// as if nothing had happened. Throws TargetError (nothing written) and ResultError (what was flushed stays).
RunSummary runStudy(const Deck& study, const Simulation& simulation, const RunSettings& settings);

class ResultFile;

/// The same with a result file that more than one run writes to, or none; it stays open. `audience` is shown
/// the run beside the checks, at instants of its own.
struct Audience {
  std::vector<double> instants;          ///< [s]
  TransientObserver* observer{nullptr};  ///< `instant` counts from 0
  bool wantsEvents{false};               ///< all of them, in the summary
};
RunSummary runStudy(const Deck& study, const Simulation& simulation, ResultFile* result, bool progress,
                    const Audience& audience = {});

/// Why a run did not complete, in words: the instant and the contact.
std::string failureOf(const Deck& study, const Report& report);
std::string failureOf(const Deck& study, const RunSummary& summary);

}  // namespace ricochet
