#include "io/toml/parse_advice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace ricochet {
namespace {

std::string_view trimmedLine(std::string_view text, std::size_t begin) {
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
  return line;
}

bool isBareKeyCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '"' ||
         c == ' ';
}

/// True for a line that cannot be part of an array: "key = ..", "[table]" or "[[tables]]".
bool beginsNewStatement(std::string_view line) {
  std::size_t brackets = 0;
  while (brackets < 2 && brackets < line.size() && line[brackets] == '[') ++brackets;
  const std::string_view rest = line.substr(brackets);
  std::size_t size = 0;
  while (size < rest.size() && isBareKeyCharacter(rest[size])) ++size;
  if (size == 0 || std::isalpha(static_cast<unsigned char>(rest.front())) == 0) return false;
  if (brackets == 0) return size < rest.size() && rest[size] == '=';
  const std::string_view word = rest.substr(0, size);
  return word != "true" && word != "false" && word != "inf" && word != "nan" &&
         rest.substr(size).starts_with(std::string(brackets, ']'));
}

/// Follows brackets, strings and comments of a text as far as the line at which a parser has stopped.
class OpenValues {
 public:
  OpenValues(std::string_view text, int lastLine) : text_(text), lastLine_(lastLine) {}

  /// Position of an array or a long text that is not closed, and the line before which it should be closed;
  /// empty if there is none.
  struct Found {
    std::size_t at;
    int before;
    bool isArray;
  };
  std::optional<Found> findUnclosedValue() {
    while (at_ < text_.size() && line_ <= lastLine_ && !isBroken_) {
      const char c = text_[at_];
      if (c == '#' || (c == '[' && isAtHeaderOfTable())) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        if (const std::optional<std::size_t> open = skipString(c)) return Found{*open, 0, false};
      } else {
        if (c == '[' || c == '{') open_.push_back(at_);
        if ((c == ']' || c == '}') && !open_.empty()) open_.pop_back();
        ++at_;
        if (c != '\n') continue;
        ++line_;
        lineBegin_ = at_;
        const bool isInArray = !open_.empty() && text_[open_.back()] == '[';
        if (isInArray && line_ <= lastLine_ && beginsNewStatement(trimmedLine(text_, at_)))
          return Found{open_.back(), line_, true};
      }
    }
    const bool isAtEnd = at_ >= text_.size() && !isBroken_ && !open_.empty() && text_[open_.back()] == '[';
    return isAtEnd ? std::optional(Found{open_.back(), 0, true}) : std::nullopt;
  }

 private:
  /// True if the bracket at the present place opens the header of a table: it is the first character of its
  /// line and not within an array.
  bool isAtHeaderOfTable() const {
    return open_.empty() && text_.find_first_not_of(" \t", lineBegin_) == at_;
  }

  /// Skips a string; returns the position of a long string that does not end.
  std::optional<std::size_t> skipString(char quote) {
    const std::size_t begin = at_;
    const std::string three(3, quote);
    const bool isLong = text_.substr(at_).starts_with(three);
    const std::string_view end = isLong ? std::string_view(three) : std::string_view(three).substr(0, 1);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (quote == '"' && text_[at_] == '\\' && text_.substr(at_ + 1, 1) != "\n")
        ++at_;  // skips the escaped character
      if (at_ < text_.size() && text_[at_] == '\n') {
        if (!isLong) break;
        ++line_;
      }
      ++at_;
    }
    const bool ends = at_ < text_.size() && text_[at_] != '\n';
    if (isLong && !ends) return begin;
    isBroken_ = isBroken_ || !ends;
    if (ends) at_ = std::min(at_ + end.size(), text_.size());
    return std::nullopt;
  }

  std::string_view text_;
  int lastLine_;
  std::size_t at_{0}, lineBegin_{0};  // lineBegin_: start of the last line that no string covers
  int line_{1};
  // A short string does not end on its line; the parser reports this error itself.
  bool isBroken_{false};
  std::vector<std::size_t> open_;
};

SourceLocation sourceLocationOf(std::string_view text, std::size_t at, const std::string& file) {
  const std::string_view before = text.substr(0, at);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = before.substr(newline == before.npos ? 0 : newline + 1);
  const auto characters =
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return {file, static_cast<int>(std::ranges::count(before, '\n')) + 1, static_cast<int>(characters) + 1};
}

/// Advice for "1,5" instead of a decimal number: the parser stops at the comma, or, in an inline table,
/// behind the digits that it took for a key. Empty if the error at the column (from 1) has another reason.
std::string adviceAboutDecimalComma(std::string_view line, std::size_t column) {
  const auto isDigit = [&](std::size_t i) { return i < line.size() && line[i] >= '0' && line[i] <= '9'; };
  std::size_t comma = std::min(column, line.size());
  const auto belongsToNumber = [&](char c) {
    return std::string_view("0123456789eE+-").find(c) != line.npos;
  };
  if (comma == 0) return {};
  --comma;  // index of the character at which the parser stopped
  if (comma >= line.size()) return {};
  if (line[comma] != ',' || !isDigit(comma + 1)) {
    while (comma > 0 && belongsToNumber(line[comma - 1])) --comma;
    if (comma == 0 || line[comma - 1] != ',') return {};
    --comma;
  }
  if (comma == 0 || !isDigit(comma - 1) || !isDigit(comma + 1)) return {};
  std::size_t begin = comma, end = comma + 1;
  while (begin > 0 && (belongsToNumber(line[begin - 1]))) --begin;
  while (end < line.size() && belongsToNumber(line[end])) ++end;
  const std::string_view whole = line.substr(begin, comma - begin),
                         fraction = line.substr(comma + 1, end - comma - 1);
  return fmt::format("; a decimal comma? Write {}.{}", whole, fraction);
}

/// Advice for typographic quotation marks, which word processors write.
std::string adviceAboutQuotes(std::string_view line) {
  for (const std::string_view quote : {"\u201c", "\u201d", "\u201e", "\u2018", "\u2019"})
    if (line.find(quote) != line.npos) return fmt::format("; {} is no quotation mark here: write \"", quote);
  return {};
}

/// Advice for a file that an editor has saved in another encoding.
std::string adviceAboutEncoding(std::string_view reason) {
  return reason.find("utf-8") == reason.npos ? "" : "; save the file as UTF-8";
}

/// Advice for a table in braces that continues on the next line, which TOML does not allow.
std::string adviceAboutBraces(std::string_view reason) {
  const bool isAtLineEnd =
      reason.find("inline table") != reason.npos && reason.find("saw '\\n'") != reason.npos;
  return isAtLineEnd ? "; a table in braces { } ends on the line on which it opens" : "";
}

}  // namespace

InputProblem parseProblem(const ParseFault& fault) {
  if (const auto open = OpenValues(fault.text, fault.where.line).findUnclosedValue()) {
    const SourceLocation opens = sourceLocationOf(fault.text, open->at, fault.where.file);
    if (open->isArray)
      return {opens, "",
              fmt::format("the array that opens here is not closed: a ] is missing{}",
                          open->before == 0 ? "" : fmt::format(" before line {}", open->before))};
    return {
        opens, "",
        fmt::format("the text that opens here is not closed: {} is missing", fault.text.substr(open->at, 3))};
  }
  std::string_view line = fault.text;
  for (int i = 1; i < fault.where.line && !line.empty(); ++i)
    line = line.substr(std::min(line.find('\n'), line.size() - 1) + 1);
  line = line.substr(0, line.find('\n'));
  std::string advice =
      adviceAboutDecimalComma(line, static_cast<std::size_t>(std::max(fault.where.column, 0)));
  if (advice.empty()) advice = adviceAboutQuotes(line);
  if (advice.empty()) advice = adviceAboutEncoding(fault.words);
  if (advice.empty()) advice = adviceAboutBraces(fault.words);
  return {fault.where, "", std::string(fault.words) + advice};
}

}  // namespace ricochet
