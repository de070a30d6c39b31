#pragma once

#include "io/text/request_error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// A result cannot be made again: it is none of a run, not complete, or what its deck names has changed.
struct ReproduceError : RequestError {
  using RequestError::RequestError;
};

/// How a dataset differs from that of the run made again.
struct Difference {
  std::string dataset;
  std::string text;
};

struct Reproduction {
  std::string made;         ///< by what the result was made: "0.1.0, GCC 12.2.0, avx512"
  std::size_t datasets{0};  ///< that were compared
  std::vector<Difference> differences;
};

/// Runs the deck that a result holds once more, in the mode of the result, and compares every dataset,
/// numbers bit for bit. Times that the machine took are left out, of a comparison all that follows from them.
/// The new result lies in a temporary folder, and is removed. Throws ReproduceError, ResultError, InputError.
Reproduction reproduce(const std::filesystem::path& result, bool showProgress);

}  // namespace ricochet
