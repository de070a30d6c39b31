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

#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

bool isSame(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::exists(one, ignored) && fs::exists(other, ignored) && fs::equivalent(one, other, ignored);
}

bool isWrittenByProgram(const H5File& file) {
  return file.hasAttribute("/", "format") && file.stringAttribute("/", "format") == "ricochet";
}

/// True for an unfinished output that is never resumed but computed again: a restored file, a comparison.
bool isCreatedAnew(const fs::path& partial) {
  try {
    const H5File file = H5File::open(partial);
    return file.hasAttribute("/", "restored_from") || file.hasAttribute("/", kComparedRuns);
  } catch (const ResultError&) {
    return false;
  }
}

TargetError unfinishedResults(const fs::path& file) {
  return TargetError(fmt::format(
      "{}: holds unfinished results: --resume goes on with them, --force begins anew", file.string()));
}

/// Checks the file that exists under the name of the result.
void requireReplaceable(const fs::path& file, bool force, Unfinished unfinished) {
  if (!fs::exists(file)) return;
  if (fs::is_directory(file)) throw TargetError(fmt::format("{}: is a folder", file.string()));
  if (!fs::is_regular_file(file))
    throw TargetError(fmt::format(
        "{}: is no plain file, and the result would take its place; name another with -o", file.string()));
  if (force) return;
  bool isLeft = false;
  try {
    const H5File existing = H5File::open(file);
    if (isWrittenByProgram(existing) && existing.stringAttribute("/", "status") != "complete") {
      isLeft = unfinished == Unfinished::keep && existing.exists(CheckpointSlots::kGroup);
      if (!isLeft) return;
    }
  } catch (const ResultError&) {
    throw TargetError(fmt::format("{}: exists and is no result; move it, or give --force", file.string()));
  }
  if (isLeft) throw unfinishedResults(file);
  throw TargetError(fmt::format("{}: exists and is complete; give --force to replace it", file.string()));
}

/// Checks the file that exists under the temporary name: only a file of this program is replaced.
void requireFree(const fs::path& partial, bool force, Unfinished unfinished) {
  const fs::file_status status = fs::symlink_status(partial);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status))
    throw TargetError(fmt::format(
        "{}: is no plain file, and the result is written under this name; remove it, or name another "
        "result with -o",
        partial.string()));
  if (JournaledFile::isInUse(partial))
    throw TargetError(fmt::format("{}: {}; wait for it, or name another result with -o", partial.string(),
                                  JournaledFile::kInUse));
  if (!hasUnfinishedContent(partial)) return;
  if (!looksLikeHdf5(partial))
    throw TargetError(fmt::format(
        "{}: is there and is no result, and the result is written under this name; move it, or name "
        "another result with -o",
        partial.string()));
  if (force || unfinished == Unfinished::replace || isCreatedAnew(partial)) return;
  throw unfinishedResults(partial);
}

}  // namespace

fs::path partialFileOf(const fs::path& file) { return file.string() + ".partial"; }

void removePartial(const fs::path& partial) {
  std::error_code ignored;
  fs::remove(partial, ignored);
  fs::remove(JournaledFile::journalOf(partial), ignored);
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
  for (const fs::path& file : dataFilesOf(openAskedResult(result)))
    inputs.push_back({file, "read by the deck"});
  return inputs;
}

void requireNoInput(const fs::path& file, const std::vector<InputFile>& inputs) {
  for (const InputFile& input : inputs)
    if (isSame(file, input.file))
      throw TargetError(
          fmt::format("{}: is {}; give what is written another name", file.string(), input.what));
}

void requireNoInputOf(const fs::path& result, const fs::path& file) {
  requireNoInput(file, inputFilesOf(result));
  if (file.extension() == ".toml" && fs::exists(file))
    throw TargetError(fmt::format("{}: is a deck; give what is written another name", file.string()));
}

void requireWritable(const fs::path& file, const std::vector<InputFile>& inputs, bool force,
                     Unfinished unfinished) {
  const fs::path folder = folderOf(file);
  if (!fs::is_directory(folder))
    throw TargetError(fmt::format("{}: there is no such folder; make it first", folder.string()));
  const fs::path partial = partialFileOf(file);
  requireNoInput(file, inputs);
  requireNoInput(partial, inputs);
  requireNoInput(JournaledFile::journalOf(partial), inputs);
  requireFree(partial, force, unfinished);
  requireReplaceable(file, force, unfinished);
}

}  // namespace ricochet
