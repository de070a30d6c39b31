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

/// Lines of a text file of another program, with their numbers; the first invalid line is reported as a
/// problem and ends the reading.
class TextLines {
 public:
  /// A file that cannot be read is reported at the place that names the file.
  TextLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics);

  /// The next line, without its end; false at the end of the file, or after a problem.
  bool readNextLine(std::string& line);

  /// Reports a problem of the line read last.
  void reportProblem(const std::string& text);
  /// Reports a problem of a part of the last line, which the caller still keeps, with its column.
  void reportProblemAt(std::string_view part, const std::string& text);

  const std::filesystem::path& path() const noexcept { return file_->value; }

  bool isFreeOfProblems() const noexcept { return clean_; }
  int lineNumber() const noexcept { return number_; }

 private:
  const Located<std::filesystem::path>* file_;
  Diagnostics* diagnostics_;
  std::ifstream stream_;
  std::string_view line_;  ///< last line read, a part of the string of the caller
  int number_{0};
  bool clean_{true};
};

/// Splits a line into fields separated by blanks or, if there are any, by commas or semicolons.
void splitFields(std::string_view line, std::vector<std::string_view>& fields);

/// Text without blanks at its ends; text without a surrounding pair of quotes.
std::string_view withoutOuterBlanks(std::string_view text);

/// End of the field that begins at `begin`: the next of `ends` that is not inside a pair of quotes; two
/// quotes inside are one that belongs to the name. A quote that nothing closes is a letter like others.
std::size_t endOfUnquotedField(std::string_view line, std::size_t begin, std::string_view ends);
std::string_view withoutSurroundingQuotes(std::string_view text);

/// Name of a cell of a CSV file: if the cell is in quotes, the text inside, where two quotes are one.
std::string unquotedCsvCell(std::string_view cell);

/// The text in lower case (ASCII).
std::string lowerCase(std::string_view text);

/// Parses the whole text as a number of at most kLargestNumber. Exponents may have E or D as in Fortran, or
/// no letter if they have three digits: 1.5-105.
std::optional<double> parseReal(std::string_view text);

/// Parses a number field of Nastran, where the letter of the exponent is optional: 1.5+3.
std::optional<double> parseNastranReal(std::string_view text);

std::optional<std::int64_t> parseInteger(std::string_view text);

/// `must be a finite number, got "1e999"`.
std::string messageOnInvalidNumber(std::string_view text);

/// Number of significant digits of a printed number, without leading zeros; 0 for an integer, which is exact.
int countPrintedDigits(std::string_view number);

/// An excerpt of a file for a message: limited in length, and without bytes that are not text.
std::string printableExcerpt(std::string_view piece, std::size_t longest = 24);

}  // namespace ricochet
