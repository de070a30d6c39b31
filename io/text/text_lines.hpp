#pragma once

#include "io/text/input_error.hpp"
#include "io/text/largest_number.hpp"

#include <cstddef>
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
  /// A problem of a part of that line, which the caller still holds: its column is told too.
  void problemAt(std::string_view part, const std::string& text);

  const std::filesystem::path& path() const noexcept { return file_->value; }

  bool isClean() const noexcept { return clean_; }
  int number() const noexcept { return number_; }

 private:
  const Located<std::filesystem::path>* file_;
  Diagnostics* diagnostics_;
  std::ifstream stream_;
  std::string_view line_;  ///< read last, in the string of the caller
  int number_{0};
  bool clean_{true};
};

/// Fields between blanks and, if there are any, commas or semicolons.
void splitFields(std::string_view line, std::vector<std::string_view>& fields);

/// Without blanks at the ends; without a pair of quotes around it.
std::string_view trimmed(std::string_view text);
std::string_view unquoted(std::string_view text);

/// With small letters (ASCII).
std::string lowered(std::string_view text);

/// All of the text as a number of at most kLargestNumber, exponents with E or D as Fortran writes them, or
/// without a letter where Fortran has no room for it (three digits: 1.5-105).
std::optional<double> realOf(std::string_view text);

/// The same for fields of Nastran, which leave the letter out as they like: 1.5+3.
std::optional<double> bulkRealOf(std::string_view text);

std::optional<std::int64_t> integerOf(std::string_view text);

/// `must be a finite number, got "1e999"`.
std::string notANumber(std::string_view text);

/// Digits of a number as it is printed, without leading zeros; 0 of an integer, which is exact.
int printedDigits(std::string_view number);

/// A piece of a file for a message: not a page of it, and no bytes that are no text.
std::string shownText(std::string_view piece, std::size_t longest = 24);

}  // namespace ricochet
