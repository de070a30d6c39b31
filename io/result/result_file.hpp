#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/checkpoint_slots.hpp"
#include "io/result/final_name.hpp"
#include "io/result/result_target.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace ricochet {

/// Attribute of a file with both runs of a comparison. These runs belong together: neither is resumed or
/// continued alone.
inline constexpr const char* kComparedRuns = "compared_runs";

class ContactRun;
struct Report;
struct Simulation;
struct Deck;

/// The result of one run, with the layout of io/result/LAYOUT.md. The file is written under a temporary name
/// (`NAME.partial`) and renamed at the end: an interrupted program never leaves a partial result under the
/// final name. Flushed data can be read during the run. A journal in the same folder (hdf5_journal.hpp)
/// restores the file to its last flush after the program has been killed.
class ResultFile {
 public:
  /// Creates the file with deck, model and the description of the run (`writeRunDescription`), status
  /// "running". Throws ResultError.
  ResultFile(const Deck& study, const Simulation& simulation, const std::filesystem::path& file);

  /// Creates such a file for a caller that writes its own data; `more` adds data before the first flush. A
  /// file that cannot be completed is removed. Throws TargetError if another program is writing the file.
  static H5File begin(const Deck& study, const Simulation& simulation, const std::filesystem::path& partial,
                      const std::function<void(const H5File&)>& more = {});

  /// Opens the partial result `file` of a killed or interrupted run of the same deck, mode and program, at
  /// its last checkpoint; the file is not changed before `removeTotalsOfInterruptedRun`. Empty if there is no
  /// checkpoint: the run must start again. Throws TargetError if there is nothing to resume.
  static std::optional<ResultFile> reopenPartialResult(const Deck& study, const Simulation& simulation,
                                                       std::filesystem::path file);

  /// Checkpoint from which a reopened file continues; null otherwise.
  const RunCheckpoint* checkpoint() const noexcept { return found_ ? &*found_ : nullptr; }

  /// Removes the totals that an interrupted run wrote at its end.
  void removeTotalsOfInterruptedRun(Mode mode);

  /// Writes the buffered data and a checkpoint of the run, and flushes the file.
  void writeCheckpoint(RunCheckpoint& checkpoint);

  /// Writes basis and contacts of another run of the same study.
  void writeRunDescription(const Deck& study, const Simulation& simulation);

  const H5File& file() const noexcept { return file_; }
  const std::filesystem::path& path() const noexcept { return name_.path(); }

  /// Writes totals of the contacts, and whether the energy balance of the run is satisfied.
  void writeTotals(const Deck& study, Mode mode, const ContactRun& contacts, const Report& report);

  /// Sets the status ("complete" or "failed", with the reason), closes the file and renames it. Every
  /// GrowingDataset of the file must have been destroyed. Checkpoints are deleted unless `resumable`.
  void close(std::string_view status, std::string_view failure = {}, bool resumable = false);

 private:
  ResultFile(H5File opened, std::filesystem::path file);

  FinalName name_;
  std::filesystem::path partial_;
  H5File file_;
  CheckpointSlots slots_;
  std::optional<RunCheckpoint> found_;
};

}  // namespace ricochet
