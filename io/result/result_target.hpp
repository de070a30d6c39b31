#pragma once

#include "io/archive/output_kind.hpp"
#include "io/text/request_error.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace ricochet {

struct Deck;

/// The result file cannot be created: the file exists, its folder does not exist, or the name is that of the
/// deck.
struct TargetError : RequestError {
  using RequestError::RequestError;
};

/// A run or batch that was to be resumed is complete: nothing is left to do, and nothing is changed.
struct AlreadyComplete : RequestError {
  using RequestError::RequestError;
};

/// A file that is read and must not be overwritten, and its description: "the deck".
struct InputFile {
  std::filesystem::path file;
  std::string_view what;
};

/// The deck of a study and the files that the deck names.
std::vector<InputFile> inputFilesOf(const Deck& study);
/// A result, the files that its deck names, and the same of the result from which it was restored.
std::vector<InputFile> inputFilesOf(const std::filesystem::path& result);

/// True if two files that are going to be written would be one file: as the file system says of files that
/// are there, and by their names without links of others.
bool isSameTargetFile(const std::filesystem::path& one, const std::filesystem::path& other);

/// Throws TargetError unless a file of a kind may be written beside results: its folder is writable, the file
/// is none of the inputs under any name, and a file that is there is of this kind and `force` is given. All
/// files but results themselves (requireWritableResult) are checked here.
void requireFileMayBeWritten(const std::filesystem::path& file, OutputKind kind, bool force,
                             const std::vector<InputFile>& inputs = {});

/// Whether the unfinished result of an earlier run is kept or may be replaced.
enum class Unfinished { keep, replace };

/// Throws TargetError unless a result may be written to `file` and, during the run, to its temporary name:
/// the folder exists, neither name is an input, no program is writing there, and the only existing file is a
/// failed result (with `force`: any result, but nothing else). An unfinished result that can be resumed is
/// kept, except with `force` or if the caller allows to replace it (`unfinished`).
void requireWritableResult(const std::filesystem::path& file, const std::vector<InputFile>& inputs,
                           bool force, Unfinished unfinished = Unfinished::keep);

/// Throws TargetError if a result that is resumed, or a file beside it, is one of the inputs, or if the file
/// beside it is no journal of a result.
void requireResumableResult(const std::filesystem::path& file, const std::vector<InputFile>& inputs);

/// The temporary name of a result during the run.
std::filesystem::path temporaryNameOfResult(const std::filesystem::path& file);

/// Removes all files of a writer under its temporary name.
void removeTemporaryFiles(const std::filesystem::path& partial);

/// True if there is an unfinished result with content under the temporary name, as of its last flush.
bool hasUnfinishedContent(const std::filesystem::path& partial);

}  // namespace ricochet
