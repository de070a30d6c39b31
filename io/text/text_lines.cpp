#include "io/text/text_lines.hpp"

#include "io/text/input_file.hpp"
#include "io/text/largest_number.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <system_error>

namespace ricochet {
namespace {

/// True for a byte of UTF-8 that does not begin a character.
bool isUtf8ContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

TextLines::TextLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics)
    : file_(&file), diagnostics_(&diagnostics) {
  const std::string reason = openInputOrGetReason(file.value, stream_);
  if (reason.empty()) return;
  diagnostics.addProblem(file.where, file.path, "cannot read " + file.value.string() + ": " + reason);
  clean_ = false;
}

bool TextLines::readNextLine(std::string& line) {
  if (!clean_ || !std::getline(stream_, line)) return false;
  while (!line.empty() && line.back() == '\r') line.pop_back();
  // removes the byte order mark of UTF-8
  if (++number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  line_ = line;
  return true;
}

void TextLines::reportProblem(const std::string& text) {
  if (clean_) diagnostics_->addProblem({file_->value.string(), number_, 0}, file_->path, text);
  clean_ = false;
}

void TextLines::reportProblemAt(std::string_view part, const std::string& text) {
  const std::less_equal<const char*> isBefore;
  const bool isInside =
      isBefore(line_.data(), part.data()) && isBefore(part.data(), line_.data() + line_.size());
  const std::string_view before =
      isInside ? line_.substr(0, static_cast<std::size_t>(part.data() - line_.data())) : std::string_view{};
  const auto characters = before.size() - static_cast<std::size_t>(std::count_if(before.begin(), before.end(),
                                                                                 isUtf8ContinuationByte));
  const int column = isInside ? static_cast<int>(characters) + 1 : 0;
  if (clean_) diagnostics_->addProblem({file_->value.string(), number_, column}, file_->path, text);
  clean_ = false;
}

void splitFields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  constexpr std::string_view kEnds = " \t,;";
  for (std::size_t begin = line.find_first_not_of(kEnds); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kEnds, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kEnds, end);
  }
}

std::string_view withoutOuterBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string_view withoutSurroundingQuotes(std::string_view text) {
  const bool isQuoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return isQuoted ? text.substr(1, text.size() - 2) : text;
}

std::size_t endOfUnquotedField(std::string_view line, std::size_t begin, std::string_view ends) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = std::min(line.find_first_not_of(kBlanks, begin), line.size());
  if (first == line.size() || line[first] != '"' || line.find_first_of(ends, begin) < first)
    return std::min(line.find_first_of(ends, begin), line.size());
  for (std::size_t quote = line.find('"', first + 1); quote != std::string_view::npos;
       quote = line.find('"', quote + 2))
    if (quote + 1 >= line.size() || line[quote + 1] != '"')
      return std::min(line.find_first_of(ends, quote + 1), line.size());
  return std::min(line.find_first_of(ends, begin), line.size());
}

std::string unquotedCsvCell(std::string_view cell) {
  std::string name(withoutSurroundingQuotes(cell));
  if (name.size() == cell.size()) return name;
  for (std::size_t at = name.find("\"\""); at != std::string::npos; at = name.find("\"\"", at + 1))
    name.erase(at, 1);
  return name;
}

std::string lowerCase(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return made;
}

namespace {

/// Parses a number whose exponent, if any, has the letter e.
std::optional<double> parseWithExponentE(const std::string& text) {
  double value = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ptr != text.data() + text.size()) return std::nullopt;
  // underflow: the number is nearer to zero than the smallest double
  if (read.ec == std::errc::result_out_of_range && text.find("e-") != std::string::npos) return 0.0;
  if (read.ec != std::errc() || !(std::abs(value) <= kLargestNumber)) return std::nullopt;
  return value;
}

/// Parses a number whose exponent may lack its letter, if the exponent has an allowed number of digits.
std::optional<double> parseRealWithExponent(std::string_view text, std::size_t fewest, std::size_t most) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  std::string number(text);
  std::replace_if(
      number.begin(), number.end(), [](char c) { return c == 'D' || c == 'd' || c == 'E'; }, 'e');
  if (const std::optional<double> value = parseWithExponentE(number)) return value;
  const std::size_t sign = number.find_first_of("+-", 1);
  if (sign == std::string::npos || number.find('e') != std::string::npos) return std::nullopt;
  const std::size_t digits = number.size() - sign - 1;
  if (digits < fewest || digits > most || number.find('.') > sign) return std::nullopt;
  return parseWithExponentE(number.insert(sign, 1, 'e'));
}

}  // namespace

std::optional<double> parseReal(std::string_view text) {
  constexpr std::size_t kDigits = 3;
  return parseRealWithExponent(text, kDigits, kDigits);
}

std::optional<double> parseNastranReal(std::string_view text) {
  constexpr std::size_t kMost = 3;
  return parseRealWithExponent(text, 1, kMost);
}

std::string messageOnInvalidNumber(std::string_view text) {
  double value = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isLarge = read.ec == std::errc() && std::isfinite(value) && std::abs(value) > kLargestNumber;
  std::string problem =
      isLarge ? fmt::format("must be at most {} in size", kLargestNumber) : "must be a finite number";
  problem += ", got \"" + printableExcerpt(text) + "\"";
  if (text.find(',') != std::string_view::npos) problem += "; the decimal sign is a point";
  return problem;
}

int countPrintedDigits(std::string_view number) {
  const std::size_t end = std::min(number.find_first_of("eEdD+-", 1), number.size());
  if (end == number.size() && number.find('.') == std::string_view::npos) return 0;
  int digits = 0;
  for (const char c : number.substr(0, end))
    if (c >= '0' && c <= '9' && (digits > 0 || c != '0')) ++digits;
  return digits;
}

namespace {

/// Number of bytes of the character at the start; 0 if it cannot be printed (invalid UTF-8, or a control
/// character).
std::size_t lengthOfPrintableCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80U) return first >= 0x20U && first != 0x7FU ? 1 : 0;
  const std::size_t size = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : first >= 0xC2U ? 2 : 0;
  if (size == 0 || first > 0xF4U || text.size() < size) return 0;
  const std::string_view rest = text.substr(1, size - 1);
  return std::all_of(rest.begin(), rest.end(), isUtf8ContinuationByte) ? size : 0;
}

}  // namespace

std::string printableExcerpt(std::string_view piece, std::size_t longest) {
  std::string shown;
  std::size_t at = 0;
  for (; at < piece.size() && shown.size() < longest;) {
    const std::size_t bytes = lengthOfPrintableCharacter(piece.substr(at));
    shown += bytes == 0 ? "?" : std::string(piece.substr(at, bytes));
    at += std::max<std::size_t>(bytes, 1);
  }
  return shown + (at < piece.size() ? "..." : "");
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace ricochet
