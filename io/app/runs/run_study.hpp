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
  std::optional<std::filesystem::path> result;  ///< HDF5 file to write; absent: no file
  bool force{false};                            ///< replaces a complete result
  bool progress{true};                          ///< shows progress on standard error
  bool resume{false};                    ///< continues from the partial result of a killed or interrupted run
  TransientObserver* observer{nullptr};  ///< follows the progress and may stop the run; null: none
};

/// Runs the transient of a study prepared in either mode: steps, result file, checks. Ctrl-C stops the run at
/// the end of a step. A run that diverges or is interrupted leaves a readable file with status "failed" and
/// the reason. A run that is interrupted, killed or stopped by a full disk can be resumed; the resumed run
/// gives the same datasets as an uninterrupted run. Throws TargetError (nothing written) and ResultError
/// (flushed data stay).
RunSummary runStudy(const Deck& study, const Simulation& simulation, const RunSettings& settings);

class ResultFile;

/// Additional observer of a run, called at its own instants, besides the checks. The observer receives the
/// progress and may stop the run; without a result file the archived rows and the events too.
struct Audience {
  std::vector<double> instants;          ///< instants at which the observer is called [s]
  TransientObserver* observer{nullptr};  ///< its callback `instant` counts from 0
  bool wantsEvents{false};               ///< true: the summary holds all events
};
RunSummary runStudy(const Deck& study, const Simulation& simulation, ResultFile* result, bool progress,
                    const Audience& audience = {});

/// Text that states why a run did not complete, with the instant and the contact.
std::string failureTextOfRun(const Deck& study, const Report& report);
std::string failureTextOfRun(const Deck& study, const RunSummary& summary);

}  // namespace ricochet
