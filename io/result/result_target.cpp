#include "io/result/result_target.hpp"

#include "io/deck/bare_deck.hpp"
#include "io/deck/batch_request.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_journal.hpp"
#include "io/result/checkpoint_slots.hpp"
#include "io/result/data_files.hpp"
#include "io/result/result_file.hpp"
#include "io/result/target.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

bool isSameFile(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::exists(one, ignored) && fs::exists(other, ignored) && fs::equivalent(one, other, ignored);
}

/// Throws TargetError if `file` is one of the inputs, under any name.
void requireNotAnInput(const fs::path& file, const std::vector<InputFile>& inputs) {
  for (const InputFile& input : inputs)
    if (isSameFile(file, input.file))
      throw TargetError(
          fmt::format("{}: is {}; give what is written another name", file.string(), input.what));
}

/// Throws TargetError unless a file that is there is of a kind, so that it may be replaced.
void requireFileOfKind(const fs::path& file, OutputKind kind) {
  if (isFileOfKind(file, kind)) return;
  if (kind != OutputKind::deck && isFileOfKind(file, OutputKind::deck))
    throw TargetError(fmt::format("{}: is a deck; give what is written another name", file.string()));
  throw TargetError(fmt::format("{}: is there and is no {}; move it, or name another file", file.string(),
                                outputKindName(kind)));
}

TargetError existingFileError(const fs::path& file, std::string_view what) {
  return TargetError(fmt::format(
      "{}: is there and is no {}, and the result is written under this name; move it, or name another "
      "result with -o",
      file.string(), what));
}

/// True for an unfinished output that is never resumed but computed again: a restored file, a comparison.
bool isNeverResumed(const fs::path& partial) {
  try {
    const H5File file = H5File::open(partial);
    return file.hasAttribute("/", "restored_from") || file.hasAttribute("/", kComparedRuns);
  } catch (const ResultError&) {
    return false;
  }
}

/// True for a file that HDF5 cannot read: it may be a damaged result.
bool isUnreadableHdf5File(const fs::path& file) {
  try {
    static_cast<void>(H5File::open(file).hasAttribute("/", "format"));
    return false;
  } catch (const ResultError&) {
    return true;
  }
}

/// True for an HDF5 file without the mark of a result.
bool isForeignHdf5File(const fs::path& partial) {
  return !isUnreadableHdf5File(partial) && !isFileOfKind(partial, OutputKind::result);
}

TargetError unfinishedResultsError(const fs::path& file) {
  return TargetError(fmt::format(
      "{}: holds unfinished results: --resume goes on with them, --force begins anew", file.string()));
}

/// Checks the file that exists under the name of the result.
void requireReplaceableResult(const fs::path& file, bool force, Unfinished unfinished) {
  if (!fs::exists(file)) return;
  if (fs::is_directory(file)) throw TargetError(fmt::format("{}: is a folder", file.string()));
  if (!fs::is_regular_file(file))
    throw TargetError(fmt::format(
        "{}: is no plain file, and the result would take its place; name another with -o", file.string()));
  const bool isResult = isFileOfKind(file, OutputKind::result);
  const bool isDamaged = !isResult && hasHdf5Signature(file) && isUnreadableHdf5File(file);
  if (!isResult && !isDamaged) requireFileOfKind(file, OutputKind::result);
  if (force) return;
  if (isDamaged)
    throw TargetError(fmt::format("{}: is a damaged result; give --force to replace it", file.string()));
  if (fs::is_empty(file))
    throw TargetError(fmt::format("{}: exists; give --force to replace it", file.string()));
  const H5File existing = H5File::open(file);
  if (!existing.hasAttribute("/", "status") || existing.stringAttribute("/", "status") == "complete")
    throw TargetError(fmt::format("{}: exists and is complete; give --force to replace it", file.string()));
  if (unfinished == Unfinished::keep && existing.exists(CheckpointSlots::kGroup))
    throw unfinishedResultsError(file);
}

/// Checks the journal that exists beside a temporary name, which the writer of the result removes.
void requireOwnJournal(const fs::path& partial) {
  if (!JournaledFile::hasForeignFileAsJournal(partial)) return;
  throw existingFileError(JournaledFile::pathOfJournal(partial), "journal of a result");
}

/// Checks the file that exists under the temporary name: only a file of this program is replaced.
void requireFreeTemporaryName(const fs::path& partial, bool force, Unfinished unfinished) {
  const fs::file_status status = fs::symlink_status(partial);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status))
    throw TargetError(fmt::format(
        "{}: is no plain file, and the result is written under this name; remove it, or name another "
        "result with -o",
        partial.string()));
  if (JournaledFile::isOpenForWriting(partial))
    throw TargetError(fmt::format("{}: {}; wait for it, or name another result with -o", partial.string(),
                                  JournaledFile::kInUse));
  if (!hasUnfinishedContent(partial)) return;
  if (!hasHdf5Signature(partial) || isForeignHdf5File(partial)) throw existingFileError(partial, "result");
  if (force || unfinished == Unfinished::replace || isNeverResumed(partial)) return;
  throw unfinishedResultsError(partial);
}

}  // namespace

fs::path temporaryNameOfResult(const fs::path& file) { return file.string() + ".partial"; }

void removeTemporaryFiles(const fs::path& partial) {
  std::error_code ignored;
  fs::remove(partial, ignored);
  JournaledFile::removeJournal(partial);
}

bool hasUnfinishedContent(const fs::path& partial) { return JournaledFile::committedSize(partial) > 0; }

std::vector<InputFile> inputFilesOf(const Deck& study) {
  std::vector<InputFile> inputs{{study.deckFile, "the deck itself"}};
  for (const fs::path& file : study.dataFiles) inputs.push_back({file, "read by the deck"});
  if (study.batch && !study.batch->tableFile.empty())
    inputs.push_back({study.batch->tableFile, "read by the deck"});
  return inputs;
}

std::vector<InputFile> inputFilesOf(const fs::path& result) {
  std::vector<InputFile> inputs{{result, "the result itself"}};
  const H5File file = openRequestedResult(result);
  for (const fs::path& each : dataFilesOf(file)) inputs.push_back({each, "read by the deck"});
  if (!file.hasAttribute("/", "restored_from")) return inputs;
  const fs::path folder = fs::absolute(result).parent_path();
  fs::path source = folder / file.stringAttribute("/", "restored_from");
  if (!fs::exists(source)) source = folder / source.filename();  // a name from another folder
  try {
    for (const fs::path& each : dataFilesOf(openRequestedResult(source)))
      inputs.push_back({each, "read by the deck"});
    inputs.push_back({source, "the result that was restored"});
  } catch (const std::runtime_error&) {
    // the result from which the histories come is damaged, or not there any more
  }
  return inputs;
}

bool isSameTargetFile(const fs::path& one, const fs::path& other) {
  const auto nameOf = [](const fs::path& file) { return fs::weakly_canonical(fs::absolute(file)); };
  return isSameFile(one, other) || nameOf(one) == nameOf(other);
}

void requireFileMayBeWritten(const fs::path& file, OutputKind kind, bool force,
                             const std::vector<InputFile>& inputs) {
  requireCreatableFile(file);
  requireNotAnInput(file, inputs);
  const fs::file_status named = fs::symlink_status(file), found = fs::status(file);
  if (!fs::exists(named)) return;
  if (!fs::exists(found))
    throw TargetError(
        fmt::format("{}: is a link to a file that is not there; remove it, or name another", file.string()));
  if (fs::is_directory(found)) throw TargetError(fmt::format("{}: is a folder", file.string()));
  if (fs::is_regular_file(found))
    requireFileOfKind(file, kind);
  else if (kind == OutputKind::picture)
    throw TargetError(fmt::format(
        "{}: is no plain file, and the picture would take its place; name another with -o", file.string()));
  if (!force) throw TargetError(fmt::format("{}: exists; give --force to replace it", file.string()));
}

void requireWritableResult(const fs::path& file, const std::vector<InputFile>& inputs, bool force,
                           Unfinished unfinished) {
  const fs::path folder = folderOf(file);
  if (!fs::is_directory(folder))
    throw TargetError(fmt::format("{}: there is no such folder; make it first", folder.string()));
  requireResumableResult(file, inputs);
  requireFreeTemporaryName(temporaryNameOfResult(file), force, unfinished);
  requireReplaceableResult(file, force, unfinished);
}

void requireResumableResult(const fs::path& file, const std::vector<InputFile>& inputs) {
  const fs::path partial = temporaryNameOfResult(file);
  requireNotAnInput(file, inputs);
  requireNotAnInput(partial, inputs);
  requireNotAnInput(JournaledFile::pathOfJournal(partial), inputs);
  requireOwnJournal(partial);
}

}  // namespace ricochet
