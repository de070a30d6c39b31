// Reopens an unfinished result, to resume its run.

#include "io/archive/result_format.hpp"
#include "io/archive/result_names.hpp"
#include "io/archive/version.hpp"
#include "io/deck/bare_deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/result/data_files.hpp"
#include "io/result/result_file.hpp"
#include "io/result/result_verdict.hpp"
#include "io/text/digest.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

bool isCompleteResult(const H5File& file) { return file.stringAttribute("/", "status") == "complete"; }

void requireSameRun(const H5File& file, const Deck& study, const Simulation& simulation) {
  if (file.exists("/batch"))
    throw TargetError(
        fmt::format("{}: is of a batch, with which `ricochet batch --resume` goes on", file.name()));
  if (file.hasAttribute("/", kComparedRuns))
    throw TargetError(fmt::format(
        "{}: is of a comparison, whose runs do not go on: `ricochet compare` makes them anew", file.name()));
  if (file.stringAttribute("/", "deck_sha256") != sha256(study.deckText))
    throw TargetError(fmt::format(
        "{}: is of another text of {}: restore the deck (the text is in /deck of the file) to go on, "
        "or run with --force instead of --resume to begin anew",
        file.name(), study.deckFile.string()));
  requireSameDataFiles(file, study);
  const bool direct = !file.exists("/modal");
  if (direct != (simulation.mode == Mode::direct))
    throw TargetError(
        fmt::format("{}: is of a run with --mode {}", file.name(), direct ? "direct" : "modal"));
}

/// The file with the unfinished result: under its temporary name if the program was killed, under its final
/// name after Ctrl-C. A run that was killed before its first flush has left a file without content. Empty if
/// there is none. Throws AlreadyComplete if the result is complete.
fs::path findUnfinishedResult(const fs::path& target, const Deck& study, const Simulation& simulation) {
  const fs::path partial = temporaryNameOfResult(target);
  if (hasUnfinishedContent(partial) || (fs::exists(partial) && !fs::exists(target))) return partial;
  if (!fs::exists(target)) return {};
  const H5File file = [&] {
    try {
      return openResult(target);
    } catch (const ResultError& error) {
      throw TargetError(fmt::format("{}: nothing to resume", error.what()));
    }
  }();
  if (file.hasAttribute("/", "status") && isCompleteResult(file)) {
    requireSameRun(file, study, simulation);
    throw AlreadyComplete(fmt::format("{}: is complete, nothing is left to resume", target.string()));
  }
  if (!file.exists(CheckpointSlots::kGroup))
    throw TargetError(fmt::format("{}: holds a run that failed, which it would do again: nothing to resume",
                                  target.string()));
  return target;
}

/// Throws unless the stored data are intact. If the last checkpoint is damaged, the earlier one is used.
void requireSoundCheckpoint(const H5File& file) {
  const ResultVerdict verdict = inspectResultFile(file, CheckpointSlots::kGroup);
  if (verdict.isResultSound()) return;
  throw TargetError(fmt::format("{}: is damaged ({}); run with --force instead of --resume to begin anew",
                                file.name(), verdict.faults.front()));
}

std::size_t rowCountOfDataset(const H5File& file, std::string_view dataset) {
  return file.exists(dataset) ? file.rows(dataset) : 0;
}

}  // namespace

ResultFile::ResultFile(H5File opened, fs::path file)
    : name_(std::move(file)), partial_(temporaryNameOfResult(name_.path())), file_(std::move(opened)) {}

std::optional<ResultFile> ResultFile::reopenPartialResult(const Deck& study, const Simulation& simulation,
                                                          fs::path target) {
  const fs::path source = findUnfinishedResult(target, study, simulation);
  if (source.empty()) return std::nullopt;
  const fs::path partial = temporaryNameOfResult(target);
  std::optional<H5File> file;
  try {
    file = openResult(source, Access::readWrite, Journal::keep);
  } catch (const FileInUse& error) {
    throw TargetError(error.what());
  } catch (const ResultError& error) {
    // a file whose program was killed before the first flush is empty
    if (source == partial && !hasUnfinishedContent(source)) return std::nullopt;
    throw TargetError(error.what());
  }
  requireSameRun(*file, study, simulation);
  requireSoundCheckpoint(*file);
  const std::string root(runGroupPrefix(simulation.mode));
  const std::size_t rows = rowCountOfDataset(*file, root + "/energy/time"),
                    events = rowCountOfDataset(*file, root + "/events/kind");
  CheckpointSlots slots;
  std::optional<RunCheckpoint> found;
  try {
    found = slots.newestCheckpoint(
        *file, [&](const RunCheckpoint& c) { return c.rows <= rows && c.events <= events; });
  } catch (const CheckpointError& error) {
    throw TargetError(fmt::format("{}: {}; run with --force instead of --resume to begin anew", file->name(),
                                  error.what()));
  }
  if (!found && isCompleteResult(*file)) {  // the program was killed between the last write and the renaming
    const FileLock lock = file->lock();
    const FinalName name(target);
    file->close();
    if (source != target) name.renameToFinal(source);
    throw AlreadyComplete(
        fmt::format("{}: was complete and has its name now, nothing is left to resume", target.string()));
  }
  if (!found) return std::nullopt;
  if (!std::equal(found->version.begin(), found->version.end(), kVersion.begin(), kVersion.end()))
    throw TargetError(
        fmt::format("{}: was written by version {} of the program, this is {}: run with --force instead of "
                    "--resume to begin "
                    "anew",
                    file->name(), std::string(found->version.begin(), found->version.end()), kVersion));
  if (source != partial) {
    fs::rename(source, partial);
    file.reset();
    file = openResult(partial, Access::readWrite, Journal::keep);
  }
  ResultFile result(std::move(*file), std::move(target));
  result.slots_ = std::move(slots);
  result.found_ = std::move(found);
  return result;
}

void ResultFile::removeTotalsOfInterruptedRun(Mode mode) {
  const std::string restart = fmt::format("{}/restart", runGroupPrefix(mode));
  if (file_.exists(restart)) file_.remove(restart);
  if (file_.hasAttribute("/", "failure")) file_.removeAttribute("/", "failure");
  file_.setAttribute("/", "status", "running");
}

void ResultFile::writeCheckpoint(RunCheckpoint& checkpoint) {
  checkpoint.version.assign(kVersion.begin(), kVersion.end());
  slots_.write(file_, checkpoint);
  file_.flush();
  InterruptGuard::recordFileSize(fs::file_size(partial_));
}

}  // namespace ricochet
