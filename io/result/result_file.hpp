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

/// The attribute of a file that holds both runs of a comparison: they are made together, and none goes on
/// alone.
inline constexpr const char* kComparedRuns = "compared_runs";

class ContactRun;
struct Report;
struct Simulation;
struct Deck;

/// The result of one run, laid out as documented in io/result/LAYOUT.md. It grows under a temporary name
/// (`NAME.partial`) and takes its own at the end, so that an interrupted program never leaves half a result
/// under a name that promised a whole one; whatever was flushed can be read meanwhile. A journal lies beside
/// it (hdf5_journal.hpp): whenever the program is killed, the file is as at a flush.
class ResultFile {
 public:
  /// Makes the file with deck, model and what describes the run to come (`describe`), status "running".
  /// Throws ResultError.
  ResultFile(const Deck& study, const Simulation& simulation, const std::filesystem::path& file);

  /// The same for a writer of its own, who adds `more` before the first flush. A file that cannot be made
  /// leaves nothing behind. Throws TargetError where another program is writing it.
  static H5File begin(const Deck& study, const Simulation& simulation, const std::filesystem::path& partial,
                      const std::function<void(const H5File&)>& more = {});

  /// Opens what a killed or interrupted run of the same deck, mode and program left of `file`, at its last
  /// checkpoint; nothing is changed before `goOn`. None: it came to no checkpoint, and has to run anew.
  /// Throws TargetError when there is nothing to go on with.
  static std::optional<ResultFile> reopen(const Deck& study, const Simulation& simulation,
                                          std::filesystem::path file);

  /// The checkpoint to go on from, of a file that was reopened.
  const RunCheckpoint* checkpoint() const noexcept { return found_ ? &*found_ : nullptr; }

  /// Removes what an interrupted run wrote at its end.
  void goOn(Mode mode);

  /// Writes what is buffered for the file so far, a state of the run to go on from, and flushes.
  void keep(RunCheckpoint& checkpoint);

  /// Writes basis and contacts of a further run of the same study.
  void describe(const Deck& study, const Simulation& simulation);

  const H5File& file() const noexcept { return file_; }
  const std::filesystem::path& path() const noexcept { return name_.path(); }

  /// Writes totals of the contacts and the verdict of the energy ledger.
  void writeTotals(const Deck& study, Mode mode, const ContactRun& contacts, const Report& report);

  /// Sets the status ("complete" or "failed", with the reason), closes and takes the final name.
  /// Every GrowingDataset of the file must be gone. Checkpoints go too, unless the run is to be resumed.
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
