#include "io/toml/document.hpp"

#include "io/text/counted.hpp"
#include "io/text/input_file.hpp"
#include "io/toml/parse_advice.hpp"
#include "io/toml/replace_value.hpp"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

namespace ricochet {

namespace {

InputValue convertTomlNode(const toml::node& node);

InputValue::Table convertTomlTable(const toml::table& source) {
  InputValue::Table table;
  table.reserve(source.size());
  for (const auto& [name, node] : source) {
    const toml::source_position at = name.source().begin;
    InputEntry entry;
    entry.key = std::string{name.str()};
    entry.line = static_cast<int>(at.line);
    entry.column = static_cast<int>(at.column);
    entry.value = convertTomlNode(node);
    table.push_back(std::move(entry));
  }
  // the parser sorts keys by name; errors and results need the order of the file
  std::stable_sort(table.begin(), table.end(), [](const InputEntry& a, const InputEntry& b) {
    return std::pair{a.line, a.column} < std::pair{b.line, b.column};
  });
  return table;
}

template <class Date>
InputValue::Date convertTomlDate(const Date& date) {
  std::ostringstream text;
  text << date;
  return {text.str()};
}

InputValue convertTomlNode(const toml::node& node) {
  InputValue value;
  value.line = static_cast<int>(node.source().begin.line);
  value.column = static_cast<int>(node.source().begin.column);
  node.visit([&value](const auto& found) {
    using Found = std::remove_cvref_t<decltype(found)>;
    if constexpr (toml::is_table<Found>) {
      value.content = convertTomlTable(found);
    } else if constexpr (toml::is_array<Found>) {
      InputValue::Array array;
      array.reserve(found.size());
      for (const toml::node& element : found) array.push_back(convertTomlNode(element));
      value.content = std::move(array);
    } else if constexpr (toml::is_chronological<Found>) {
      value.content = convertTomlDate(found.get());
    } else {
      value.content = found.get();
    }
  });
  return value;
}

/// True for a byte inside a UTF-8 character.
bool isInsideUtf8Character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// At most 40 bytes of a string in quotes, on one line, cut between characters.
std::string quotedExcerpt(const std::string& text) {
  constexpr std::size_t kLongest = 40;
  std::string shown = text.substr(0, kLongest);
  if (text.size() > kLongest) {
    if (isInsideUtf8Character(text[kLongest])) {
      while (isInsideUtf8Character(shown.back())) shown.pop_back();
      shown.pop_back();
    }
    shown += "...";
  }
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return "\"" + shown + "\"";
}

struct Describe {
  std::string operator()(bool value) const { return fmt::format("the boolean {}", value); }
  std::string operator()(std::int64_t value) const { return fmt::format("the integer {}", value); }
  std::string operator()(double value) const { return fmt::format("the number {}", value); }
  std::string operator()(const std::string& value) const { return "the string " + quotedExcerpt(value); }
  std::string operator()(const InputValue::Date& value) const { return "the date " + value.text; }
  std::string operator()(const InputValue::Table&) const { return "a table"; }
  std::string operator()(const InputValue::Array& value) const {
    if (value.empty()) return "an empty array";
    return "an array of " + numberWithNoun(value.size(), "value");
  }
};

/// Nesting depth of the keys of a text: a parser that is recursive in the parts of a key would overflow its
/// stack.
class KeyDepth {
 public:
  static constexpr int kDeepest = 64;

  KeyDepth(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::optional<SourceLocation> findExcessiveNesting() {
    while (at_ < text_.size()) {
      if (skipString() || skipComment()) continue;
      countCharacter(text_[at_]);
      if (outer_ + parts_ > kDeepest) return location();
      ++at_;
    }
    return std::nullopt;
  }

 private:
  void countCharacter(char c) {
    switch (c) {
      case '.':
        ++parts_;
        break;
      case '{':
        open_.push_back(key_ + 1);
        outer_ += key_ + 1;
        parts_ = 0;
        break;
      case '}':
        if (!open_.empty()) {
          outer_ -= open_.back();
          open_.pop_back();
        }
        parts_ = 0;
        break;
      case '=':
        key_ = parts_;
        parts_ = 0;
        break;
      case '\n':
      case ',':
      case '[':
      case ']':
        parts_ = 0;
        break;
      default:
        break;
    }
  }

  bool skipComment() {
    if (text_[at_] != '#') return false;
    at_ = std::min(text_.find('\n', at_), text_.size());
    return true;
  }

  bool skipString() {
    const char quote = text_[at_];
    if (quote != '"' && quote != '\'') return false;
    const std::string three(3, quote);
    const bool isLong = text_.substr(at_).starts_with(three);
    const std::string_view end = isLong ? std::string_view(three) : std::string_view(three).substr(0, 1);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (!isLong && text_[at_] == '\n') return true;  // no string; the parser reports the error
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
    return true;
  }

  SourceLocation location() const {
    const std::string_view before = text_.substr(0, at_);
    const std::size_t line = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return {file_, static_cast<int>(std::ranges::count(before, '\n')) + 1, static_cast<int>(at_ - line) + 1};
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_{0};
  std::vector<int> open_;  // tables in braces that are open
  int outer_{0}, key_{0}, parts_{0};
};

}  // namespace

const InputValue* InputValue::find(std::string_view key) const noexcept {
  const Table* entries = table();
  if (entries == nullptr) return nullptr;
  const auto found =
      std::find_if(entries->begin(), entries->end(), [key](const InputEntry& e) { return e.key == key; });
  return found == entries->end() ? nullptr : &found->value;
}

std::string InputValue::describeValue() const { return std::visit(Describe{}, content); }

std::string_view Document::textFromPlace(int line, int column) const noexcept {
  std::string_view rest = text;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  for (int i = 1; i < column; ++i) {
    if (rest.empty()) return {};
    std::size_t size = 1;
    while (size < rest.size() && isInsideUtf8Character(rest[size])) ++size;
    rest.remove_prefix(size);
  }
  return rest;
}

Document Document::load(const std::filesystem::path& file) {
  const bool isStandardInput = file == kStandardInput;
  std::ifstream stream;
  std::string reason = isStandardInput ? std::string{} : openInputOrGetReason(file, stream);
  std::string text;
  if (reason.empty()) {
    std::istream& input = isStandardInput ? std::cin : stream;
    text.assign(std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>());
    if (input.bad()) reason = "reading it failed";
  }
  if (text.starts_with(kHdf5Signature))
    throw InputError({file.string(), 0, 0}, "",
                     "is a result, and a deck is asked for: `ricochet info` says what it holds, "
                     "`ricochet reproduce` runs its deck again");
  if (!reason.empty()) throw InputError({file.string(), 0, 0}, "", "cannot be read: " + reason);
  return parse(std::move(text), file.string());
}

Document Document::parse(std::string text, std::string file) {
  Document document{std::move(file), std::move(text), {}};
  if (const std::optional<SourceLocation> deep =
          KeyDepth(document.text, document.file).findExcessiveNesting())
    throw InputError(*deep, "", fmt::format("tables are nested deeper than {}", KeyDepth::kDeepest));
  try {
    document.root =
        convertTomlNode(toml::parse(std::string_view{document.text}, std::string_view{document.file}));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    const SourceLocation where{document.file, static_cast<int>(at.line), static_cast<int>(at.column)};
    const InputProblem problem = parseProblem({document.text, where, error.description()});
    throw InputError(problem.where, problem.path, problem.problem);
  }
  return document;
}

namespace {

/// The end of the value that begins at a place; null if no value begins there.
std::optional<toml::source_position> endOfValue(const toml::node& node, const InputValue& place) {
  const toml::source_region& region = node.source();
  const bool beginsThere = static_cast<int>(region.begin.line) == place.line &&
                           static_cast<int>(region.begin.column) == place.column;
  if (beginsThere && (node.is_array() == (place.array() != nullptr)) &&
      (node.is_table() == (place.table() != nullptr)))
    return region.end;
  std::optional<toml::source_position> end;
  if (const toml::table* table = node.as_table())
    for (auto each = table->begin(); each != table->end() && !end; ++each)
      end = endOfValue(each->second, place);
  if (const toml::array* array = node.as_array())
    for (auto each = array->begin(); each != array->end() && !end; ++each) end = endOfValue(*each, place);
  return end;
}

/// Refuses a text that is not exactly one TOML value. The text is read within brackets, so that a comment, a
/// second value or a second key makes it invalid.
void requireSingleValue(const std::string& value, const std::string& where) {
  const InputError notOne(
      {where, 0, 0}, "",
      fmt::format("`{}` is not one TOML value; a text has quotes: '\"{}\"'", value, value));
  try {
    const Document alone = Document::parse("value = [" + value + "]", where);
    const InputValue* values = alone.root.find("value");
    if (alone.root.table()->size() != 1 || values->array()->size() != 1) throw notOne;
  } catch (const InputError&) {
    throw notOne;
  }
}

}  // namespace

Document documentWithReplacedValue(const Document& document, const InputValue& place,
                                   const std::string& value, const std::string& where) {
  requireSingleValue(value, where);
  const toml::table parsed = toml::parse(std::string_view{document.text}, std::string_view{document.file});
  const std::optional<toml::source_position> end = endOfValue(parsed, place);
  const std::string_view rest = document.textFromPlace(place.line, place.column);
  if (!end || rest.empty())
    throw InputError({where, 0, 0}, "", "this value has no place of its own in the deck");
  const std::string_view after =
      document.textFromPlace(static_cast<int>(end->line), static_cast<int>(end->column));
  const auto begin = static_cast<std::size_t>(rest.data() - document.text.data());
  const std::size_t follows =
      after.empty() ? document.text.size() : static_cast<std::size_t>(after.data() - document.text.data());
  return Document::parse(document.text.substr(0, begin) + value + document.text.substr(follows),
                         document.file);
}

Document documentWithAddedKey(const Document& document, const InputValue& table, const std::string& key,
                              const std::string& value, const std::string& where) {
  requireSingleValue(value, where);
  std::string text = document.text;
  if (&table == &document.root) {  // below the line that names a schema to editors, which has to be the first
    const std::size_t first = text.starts_with("#:schema") ? text.find('\n') : std::string::npos;
    text.insert(first == std::string::npos ? 0 : first + 1, key + " = " + value + "\n");
    return Document::parse(std::move(text), document.file);
  }
  const std::string_view rest = document.textFromPlace(table.line, table.column);
  const std::size_t begin = text.size() - rest.size();
  if (rest.starts_with('{'))
    text.insert(begin + 1, " " + key + " = " + value + (table.table()->empty() ? "" : ","));
  else if (rest.starts_with('['))  // below the header
    text.insert(std::min(text.find('\n', begin), text.size()), "\n" + key + " = " + value);
  return Document::parse(std::move(text), document.file);
}

}  // namespace ricochet
