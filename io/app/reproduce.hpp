#pragma once

#include "io/text/request_error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// A result cannot be reproduced: it holds no run, is not complete, or a file that its deck names has
/// changed.
struct ReproduceError : RequestError {
  using RequestError::RequestError;
};

/// How a dataset of the result differs from the dataset of the repeated run.
struct Difference {
  std::string dataset;
  std::string text;
};

struct Reproduction {
  /// Program version, compiler and instruction set of the result: "0.1.0, GCC 12.2.0, avx512".
  std::string made;
  std::size_t datasets{0};  ///< number of datasets that were compared
  std::vector<Difference> differences;
};

/// Repeats the run of the deck that a result holds, in the mode of the result, and compares every dataset;
/// numbers must be equal bit for bit. Wall times are not compared, nor are the datasets of a comparison that
/// depend on wall times. The new result lies in a temporary folder that is removed afterwards. Throws
/// ReproduceError, ResultError, InputError.
Reproduction reproduceRun(const std::filesystem::path& result, bool showProgress);

}  // namespace ricochet
