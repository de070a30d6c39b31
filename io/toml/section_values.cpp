#include "io/text/largest_number.hpp"
#include "io/toml/section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace ricochet {

namespace {

/// Text of a value with its unit, "0 N/m"; "0" without a unit.
std::string valueWithUnitText(double value, std::string_view unit) {
  return unit.empty() || unit == "-" ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

const std::string kNameOfFunction = "the name of a function";

/// Text of the words "a", "b", "c", each in quotes.
std::string quotedWords(const NameList& words) {
  std::string text;
  for (const std::string_view word : words) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
  return text;
}

/// A number as decks write it, in the fewest digits that are it: "1.0e6", "0.01", "7800.0".
std::string tomlNumber(double value) {
  std::string text;
  constexpr int kUsual = 6, kAll = 17;
  for (int digits = kUsual; digits <= kAll; ++digits) {
    text = fmt::format("{:.{}g}", value, digits);
    if (std::strtod(text.c_str(), nullptr) == value) break;
  }
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') == mantissa.npos) mantissa += ".0";
  return e == text.npos ? mantissa : fmt::format("{}e{}", mantissa, std::stoi(text.substr(e + 1)));
}

/// Text " in N/m" of a unit; empty without a unit.
std::string unitPhrase(std::string_view unit) {
  return unit.empty() || unit == "-" ? "" : fmt::format(" in {}", unit);
}

std::string remedyWithoutQuotes(const InputValue& value, std::string_view unit) {
  const auto* text = std::get_if<std::string>(&value.content);
  return text == nullptr ? "" : remedyForQuotedNumber(*text, unit);
}

/// Text "a number in N/m, such as stiffness = 1.0e6".
std::string expectedNumberText(std::string_view key, const Range& range) {
  return fmt::format("a number{}, such as {} = {}", unitPhrase(range.unit), key, range.exampleText());
}

std::string suggestionOfSimilarName(std::string_view written, const NameList& names) {
  const std::string nearest = nearestName(written, names);
  return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
}

}  // namespace

bool Range::contains(double value) const noexcept {
  return (!lowest || value >= *lowest) && (!above || value > *above) && (!highest || value <= *highest) &&
         (!below || value < *below);
}

std::string Range::text() const {
  if (lowest && highest && !above && !below)
    return fmt::format("between {} and {}", *lowest, valueWithUnitText(*highest, unit));
  std::string text;
  const auto append = [&text, this](std::string_view relation, const std::optional<double>& bound) {
    if (!bound) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : " and ", relation, valueWithUnitText(*bound, unit));
  };
  append("at least", lowest);
  append("above", above);
  append("at most", highest);
  append("below", below);
  return text;
}

std::string remedyForQuotedNumber(std::string_view text, std::string_view unit) {
  std::string written(text);
  std::replace(written.begin(), written.end(), ',', '.');
  char* end = nullptr;
  const double number = std::strtod(written.c_str(), &end);
  const bool isNumber = !written.empty() && (std::isdigit(static_cast<unsigned char>(written.front())) != 0 ||
                                             written.front() == '-' || written.front() == '.');
  if (!isNumber || end == written.c_str() || !std::isfinite(number)) return {};
  return fmt::format("; write {} without quotes{}", tomlNumber(number),
                     unit.empty() || unit == "-" ? "" : "," + unitPhrase(unit));
}

std::string Range::exampleText() const {
  constexpr std::array<std::pair<std::string_view, double>, 12> kOfUnits{{{"N/m", 1.0e6},
                                                                          {"N s/m", 10.0},
                                                                          {"N", 10.0},
                                                                          {"Pa", 2.1e11},
                                                                          {"kg/m^3", 7800.0},
                                                                          {"m", 0.01},
                                                                          {"m^2", 1.0e-4},
                                                                          {"m^4", 1.0e-8},
                                                                          {"s", 0.1},
                                                                          {"Hz", 100.0},
                                                                          {"rad/s", 100.0},
                                                                          {"degrees", 30.0}}};
  double value = example.value_or(1.0);
  if (!example)
    for (const auto& [known, number] : kOfUnits)
      if (known == unit) value = number;
  if (!contains(value)) value = valueWithinRange();
  return tomlNumber(value);
}

double Range::valueWithinRange() const noexcept {
  if (contains(0.0)) return 0.0;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double from = std::max(lowest.value_or(-kInfinity), above.value_or(-kInfinity));
  const double to = std::min(highest.value_or(kInfinity), below.value_or(kInfinity));
  if (contains(from) && std::isfinite(from)) return from;
  if (contains(to) && std::isfinite(to)) return to;
  if (std::isfinite(from) && std::isfinite(to)) return from + 0.5 * (to - from);
  return std::isfinite(from) ? from + 1.0 : to - 1.0;
}

bool NameList::contains(std::string_view name) const noexcept {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

// ---- numbers ----

double Section::readNumber(const InputValue& value, const std::string& path, const Range& range) const {
  recordUnit(value, range.unit);
  double number = 0.0;
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) {
    number = static_cast<double>(*integer);
  } else if (const auto* found = std::get_if<double>(&value.content)) {
    number = *found;
  } else {
    reportInvalidValue(
        value, path,
        "must be a number, got " + value.describeValue() + remedyWithoutQuotes(value, range.unit));
    return range.valueWithinRange();
  }
  if (!std::isfinite(number)) {
    reportInvalidValue(value, path, fmt::format("must be finite, got {}", number));
    return range.valueWithinRange();
  }
  if (range.contains(number) && std::abs(number) <= kLargestNumber) return number;
  const std::string allowed =
      range.contains(number) ? fmt::format("at most {} in size", kLargestNumber) : range.text();
  reportInvalidValue(value, path, fmt::format("must be {}, got {}", allowed, number));
  return range.valueWithinRange();
}

std::optional<double> Section::number(std::string_view key, const Range& range) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readNumber(*value, pathOf(key), range);
}

double Section::number(std::string_view key, Required, const Range& range) const {
  const InputValue* value = valueOfKey(key, "give " + expectedNumberText(key, range));
  return value == nullptr ? range.valueWithinRange() : readNumber(*value, pathOf(key), range);
}

double Section::number(std::string_view key, double fallback, const Range& range) const {
  const std::optional<double> found = number(key, range);
  if (!found) recordDefault(key, fmt::format("{}", fallback), range.unit);
  return found.value_or(fallback);
}

std::optional<std::int64_t> Section::readInteger(const InputValue& value, const std::string& path,
                                                 const Range& range, double lowest, double highest) const {
  const auto* integer = std::get_if<std::int64_t>(&value.content);
  if (integer == nullptr) {
    std::string number = remedyWithoutQuotes(value, range.unit);
    if (const std::size_t zero = number.find(".0 without"); zero != std::string::npos) number.erase(zero, 2);
    reportInvalidValue(value, path, "must be an integer, got " + value.describeValue() + number);
    return std::nullopt;
  }
  Range allowed = range;
  if (!range.lowest && !range.above) allowed.lowest = lowest;
  if (!range.highest && !range.below) allowed.highest = highest;
  const double number = static_cast<double>(*integer);
  if (range.contains(number) && number >= lowest && number <= highest) return *integer;
  reportInvalidValue(
      value, path,
      fmt::format("must be {}, got {}", range.contains(number) ? allowed.text() : range.text(), *integer));
  return std::nullopt;
}

std::optional<int> Section::integer(std::string_view key, const Range& range) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  using Limits = std::numeric_limits<int>;
  const auto found = readInteger(*value, pathOf(key), range, Limits::min(), Limits::max());
  return static_cast<int>(found ? static_cast<double>(*found) : range.valueWithinRange());
}

int Section::integer(std::string_view key, Required, const Range& range) const {
  constexpr double kUsual = 10.0;
  valueOfKey(key, fmt::format("give an integer, such as {} = {:.0f}", key,
                              range.contains(kUsual) ? kUsual : range.valueWithinRange()));
  return integer(key, range).value_or(static_cast<int>(range.valueWithinRange()));
}

int Section::integer(std::string_view key, int fallback, const Range& range) const {
  const std::optional<int> found = integer(key, range);
  if (!found) recordDefault(key, fmt::format("{}", fallback), range.unit);
  return found.value_or(fallback);
}

std::int64_t Section::longInteger(std::string_view key, std::int64_t fallback, const Range& range) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) {
    recordDefault(key, fmt::format("{}", fallback), range.unit);
    return fallback;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return readInteger(*value, pathOf(key), range, -kInfinity, kInfinity).value_or(fallback);
}

// ---- booleans and strings ----

std::optional<bool> Section::boolean(std::string_view key) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* found = std::get_if<bool>(&value->content)) return *found;
  reportInvalidValue(*value, pathOf(key), "must be true or false, got " + value->describeValue());
  return false;
}

bool Section::boolean(std::string_view key, bool fallback) const {
  const std::optional<bool> found = boolean(key);
  if (!found) recordDefault(key, fallback ? "true" : "false");
  return found.value_or(fallback);
}

std::string Section::readString(const InputValue& value, const std::string& path) const {
  if (const auto* found = std::get_if<std::string>(&value.content)) return *found;
  reportInvalidValue(value, path, "must be a string, got " + value.describeValue());
  return {};
}

std::optional<std::string> Section::string(std::string_view key) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readString(*value, pathOf(key));
}

std::string Section::string(std::string_view key, Required) const {
  const InputValue* value = valueOfKey(key, "it must be a string");
  return value == nullptr ? std::string{} : readString(*value, pathOf(key));
}

std::string Section::string(std::string_view key, std::string_view fallback) const {
  const std::optional<std::string> found = string(key);
  if (!found) recordDefault(key, fmt::format("\"{}\"", fallback));
  return found.value_or(std::string{fallback});
}

std::optional<std::string> Section::readChoice(const InputValue& value, const std::string& path,
                                               const NameList& allowed) const {
  const auto* found = std::get_if<std::string>(&value.content);
  if (found != nullptr && allowed.contains(*found)) return *found;
  reportInvalidValue(value, path,
                     fmt::format("must be one of {}, got {}{}", quotedWords(allowed), value.describeValue(),
                                 found == nullptr ? "" : suggestionOfSimilarName(*found, allowed)));
  return std::nullopt;
}

std::optional<std::string> Section::choice(std::string_view key, const NameList& allowed) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readChoice(*value, pathOf(key), allowed).value_or("");
}

std::string Section::choice(std::string_view key, Required, const NameList& allowed) const {
  const InputValue* value = valueOfKey(key, fmt::format("it must be one of {}", quotedWords(allowed)));
  return value == nullptr ? std::string{} : readChoice(*value, pathOf(key), allowed).value_or("");
}

std::string Section::choice(std::string_view key, std::string_view fallback, const NameList& allowed) const {
  const InputValue* value = valueOfKey(key);
  if (value != nullptr) return readChoice(*value, pathOf(key), allowed).value_or(std::string{fallback});
  recordDefault(key, fmt::format("\"{}\"", fallback));
  return std::string{fallback};
}

NumberOrString Section::readNumberOrString(const InputValue& value, const std::string& path,
                                           const Range& range, const NameList& words) const {
  const auto* word = std::get_if<std::string>(&value.content);
  const bool isNumber =
      std::holds_alternative<double>(value.content) || std::holds_alternative<std::int64_t>(value.content);
  if (isNumber) return readNumber(value, path, range);
  if (word != nullptr && (words.empty() || words.contains(*word))) return *word;
  const std::string number = remedyWithoutQuotes(value, range.unit);
  reportInvalidValue(
      value, path,
      fmt::format("must be a number or {}, got {}{}", words.empty() ? kNameOfFunction : quotedWords(words),
                  value.describeValue(),
                  word == nullptr || !number.empty() ? number : suggestionOfSimilarName(*word, words)));
  return range.valueWithinRange();
}

std::optional<NumberOrString> Section::numberOrString(std::string_view key, const Range& range,
                                                      const NameList& words) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readNumberOrString(*value, pathOf(key), range, words);
}

NumberOrString Section::numberOrString(std::string_view key, Required, const Range& range,
                                       const NameList& words) const {
  const InputValue* value =
      valueOfKey(key, fmt::format("give {}, or {}", expectedNumberText(key, range),
                                  words.empty() ? kNameOfFunction : quotedWords(words)));
  return value == nullptr ? NumberOrString{range.valueWithinRange()}
                          : readNumberOrString(*value, pathOf(key), range, words);
}

}  // namespace ricochet
