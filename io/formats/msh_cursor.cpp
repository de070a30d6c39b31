#include "io/formats/msh_cursor.hpp"

#include "io/text/largest_number.hpp"
#include "io/text/text_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

bool isBlankCharacter(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

int MshCursor::lineNumberOfByte(std::size_t byte) const noexcept {
  const std::string_view before = text_.substr(0, byte);
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

int MshCursor::columnNumberOfByte(std::size_t byte) const noexcept {
  const std::string_view before = text_.substr(0, byte);
  return static_cast<int>(byte - (before.find_last_of('\n') + 1)) + 1;
}

void MshCursor::skipBlanks() {
  while (at_ < text_.size() && isBlankCharacter(text_[at_])) ++at_;
  last_ = at_;
}

bool MshCursor::atEnd() {
  skipBlanks();
  return at_ == text_.size();
}

std::string_view MshCursor::readWord() {
  skipBlanks();
  while (at_ < text_.size() && !isBlankCharacter(text_[at_])) ++at_;
  if (at_ == last_) throwMeshFault("the file ends too early");
  return text_.substr(last_, at_ - last_);
}

bool MshCursor::isNextCharacterQuote() {
  skipBlanks();
  return at_ < text_.size() && text_[at_] == '"';
}

std::string MshCursor::readQuotedText() {
  skipBlanks();
  if (at_ == text_.size() || text_[at_] != '"') throwMeshFault("must be a name between quotes");
  const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
  if (end == std::string_view::npos || text_[end] != '"') throwMeshFault("the name has no end");
  std::string name(text_.substr(at_ + 1, end - at_ - 1));
  at_ = end + 1;
  return name;
}

std::int64_t MshCursor::readIntegerText() {
  const std::string_view found = readWord();
  const std::optional<std::int64_t> value = parseInteger(found);
  if (!value) throwMeshFault(fmt::format("must be an integer, got \"{}\"", printableExcerpt(found)));
  return *value;
}

double MshCursor::readRealText() {
  const std::string_view found = readWord();
  const std::optional<double> value = parseReal(found);
  if (!value) throwMeshFault(messageOnInvalidNumber(found));
  return *value;
}

void MshCursor::skipLine() { at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1; }

void MshCursor::requireWord(std::string_view expected) {
  const std::string_view found = readWord();
  if (found != expected)
    throwMeshFault(
        fmt::format("must be {}, got \"{}\"", printableExcerpt(expected), printableExcerpt(found)));
}

void MshCursor::skipSection(std::string_view name) {
  const std::string end = "$End" + std::string(name);
  const std::size_t found = text_.find(end, at_);
  if (found == std::string_view::npos)
    throwMeshFault(fmt::format("section ${} has no $End{}", printableExcerpt(name), printableExcerpt(name)));
  at_ = found + end.size();
}

template <class T>
T MshCursor::readRawValue() {
  last_ = at_;
  if (text_.size() - at_ < sizeof(T)) throwMeshFault("the file ends too early");
  T value;
  std::memcpy(&value, text_.data() + at_, sizeof(T));
  at_ += sizeof(T);
  return value;
}

int MshCursor::readInteger(Form form) {
  if (binary_ && form == Form::ofFile) return readRawValue<std::int32_t>();
  const std::int64_t value = readIntegerText();
  if (value != static_cast<std::int32_t>(value)) throwMeshFault(fmt::format("{} is out of range", value));
  return static_cast<int>(value);
}

std::int64_t MshCursor::size() {
  const std::int64_t value = binary_ ? readRawValue<std::int64_t>() : readIntegerText();
  if (value < 0) throwMeshFault(fmt::format("must not be negative, got {}", value));
  return value;
}

double MshCursor::readReal() {
  if (!binary_) return readRealText();
  const double value = readRawValue<double>();
  if (!(std::abs(value) <= kLargestNumber))
    throwMeshFault(fmt::format("must be a finite number, of at most {} in size", kLargestNumber));
  return value;
}

std::size_t MshCursor::requireRemainingBytes(std::int64_t said, std::size_t bytesEach) const {
  // largest value of the type of indices
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::size_t each = binary_ ? bytesEach : 2;
  if (said < 0 || said > kMost || static_cast<std::size_t>(said) > (text_.size() - at_) / each + 1)
    throwMeshFault(fmt::format("{} of them do not fit into the rest of the file", said));
  return static_cast<std::size_t>(said);
}

}  // namespace ricochet
