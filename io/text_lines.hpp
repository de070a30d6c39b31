#pragma once

#include "io/input_error.hpp"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Lines of a text file that another program wrote, with their numbers; the first that is wrong becomes a
/// problem and ends the reading.
class TextLines {
 public:
  /// A file that cannot be read is a problem of the place that names it.
  TextLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics);

  /// The next line, without its end; false at the end of the file, or after a problem.
  bool next(std::string& line);

  /// A problem of the line read last.
  void problem(const std::string& text);

  bool isClean() const noexcept { return clean_; }
  int number() const noexcept { return number_; }

 private:
  const Located<std::filesystem::path>* file_;
  Diagnostics* diagnostics_;
  std::ifstream stream_;
  int number_{0};
  bool clean_{true};
};

/// Fields between blanks and, if there are any, commas or semicolons.
void splitFields(std::string_view line, std::vector<std::string_view>& fields);

/// With small letters (ASCII).
std::string lowered(std::string_view text);

/// All of the text as a number, exponents with E or D; finite.
std::optional<double> realOf(std::string_view text);
std::optional<std::int64_t> integerOf(std::string_view text);

}  // namespace ricochet
