#pragma once

#include "io/text/request_error.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace ricochet {

struct Deck;

/// The result file may not be made: it exists, its folder does not, it is the deck itself.
struct TargetError : RequestError {
  using RequestError::RequestError;
};

/// A file that is read and must not be written over, and what it is: "the deck".
struct InputFile {
  std::filesystem::path file;
  std::string_view what;
};

/// The deck of a study and the files that it names.
std::vector<InputFile> inputsOf(const Deck& study);

/// Throws TargetError where `file` is one of the inputs, under whatever name.
void requireNoInput(const std::filesystem::path& file, const std::vector<InputFile>& inputs);

/// What may be lost of an earlier run that did not come to its end.
enum class Unfinished { keep, replace };

/// Throws TargetError unless a result may be written to `file` and, meanwhile, to its temporary name: the
/// folder exists, neither name is an input, nobody is writing there, and nothing is there but a result that
/// failed (or `force`). What an interrupted or killed run left to be resumed is kept but for `force`, and
/// where the caller has looked at it (`unfinished`).
void requireWritable(const std::filesystem::path& file, const std::vector<InputFile>& inputs, bool force,
                     Unfinished unfinished = Unfinished::keep);

/// The temporary name of a result that is being written.
std::filesystem::path partialOf(const std::filesystem::path& file);

/// Removes what a writer has under its temporary name.
void removePartial(const std::filesystem::path& partial);

/// Whether a writer left something under the temporary name, at its last flush.
bool leftSomething(const std::filesystem::path& partial);

}  // namespace ricochet
