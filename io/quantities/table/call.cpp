#include "io/quantities/table/call.hpp"

#include "io/toml/read_names.hpp"

#include <cctype>

namespace ricochet::calls {
namespace {

bool isBlankCharacter(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// True if the text begins with a name of the deck, or with the form of this name in a result, where '_'
/// replaces '/'.
bool doesTextStartWithDeckName(std::string_view text, std::string_view name) {
  return text.size() >= name.size() && std::equal(name.begin(), name.end(), text.begin(), [](char a, char b) {
           return a == b || (a == '_' && b == '/');
         });
}

/// Length of the longest name at the start of the text that is followed by a comma or a parenthesis.
std::size_t lengthOfLeadingName(std::string_view text, const NameLists& lists) {
  std::size_t longest = 0;
  for (const std::vector<std::string>* names : lists) {
    if (names == nullptr) continue;
    for (const std::string& name : *names) {
      if (name.size() <= longest || !doesTextStartWithDeckName(text, name)) continue;
      const std::size_t next = text.find_first_not_of(" \t\n", name.size());
      if (next != std::string_view::npos && (text[next] == ',' || text[next] == ')')) longest = name.size();
    }
  }
  return longest;
}

/// The word before an open parenthesis; empty if there is none.
std::string_view wordBeforeParenthesis(std::string_view text, std::size_t open) {
  std::size_t end = open;
  while (end > 0 && isBlankCharacter(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && isWordCharacter(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

}  // namespace

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Piece withoutBlanksAtEnds(Piece piece) {
  while (!piece.text.empty() && isBlankCharacter(piece.text.front())) {
    piece.text.remove_prefix(1);
    ++piece.offset;
  }
  while (!piece.text.empty() && isBlankCharacter(piece.text.back())) piece.text.remove_suffix(1);
  return piece;
}

std::optional<Call> parseCallAt(std::string_view text, std::size_t offset,
                                const std::function<NameLists(std::string_view call)>& known) {
  std::size_t i = offset;
  while (i < text.size() && isWordCharacter(text[i])) ++i;
  Call call{{text.substr(offset, i - offset), offset}, {}, 0};
  while (i < text.size() && isBlankCharacter(text[i])) ++i;
  if (i == text.size() || text[i] != '(') return std::nullopt;
  const std::size_t open = i;
  std::size_t begin = i + 1;
  bool quoted = false;
  for (int depth = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '(') {
      ++depth;
      const NameLists names = known(wordBeforeParenthesis(text, i));
      while (i + 1 < text.size() && isBlankCharacter(text[i + 1])) ++i;
      i += lengthOfLeadingName(text.substr(i + 1), names);
      continue;
    }
    if (text[i] == ')') --depth;
    if (depth > 1 || (depth == 1 && text[i] != ',')) continue;
    call.arguments.push_back(withoutBlanksAtEnds({text.substr(begin, i - begin), begin}));
    begin = i + 1;
    if (depth > 0) continue;
    if (call.arguments.size() == 1 && call.arguments[0].text.empty()) call.arguments.clear();
    call.end = i + 1;
    return call;
  }
  throw FormulaError(open, "this parenthesis is not closed");
}

void ReplacedCalls::replaceCallByVariable(const Call& call) {
  const std::size_t begin = call.name.offset, length = call.end - begin;
  variables_.push_back(fmt::format("h{}", variables_.size()));
  replaced_.push_back({written_.substr(begin, length), begin});
  rest_.replace(begin, length, variables_.back() + std::string(length - variables_.back().size(), ' '));
}

Formula ReplacedCalls::parse() const {
  try {
    return Formula::parse(rest_, std::vector<std::string_view>(variables_.begin(), variables_.end()));
  } catch (const FormulaError& error) {
    std::string problem = error.what();
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const std::string variable = fmt::format("\"{}\"", variables_[i]);
      const std::size_t named = problem.find(variable);
      if (replaced_[i].offset != error.offset() || named == std::string::npos) continue;
      problem.replace(named, variable.size(), fmt::format("\"{}\"", replaced_[i].text));
    }
    throw FormulaError(error.offset(), problem);
  }
}

void requireArgumentCount(const Call& call, std::size_t least, std::size_t most, std::string_view what) {
  const std::size_t given = call.arguments.size();
  if (given >= least && given <= most) return;
  throw FormulaError(call.name.offset, fmt::format("{} takes {}, got {} argument{}", call.name.text, what,
                                                   given, given == 1 ? "" : "s"));
}

std::optional<int> indexOfListedName(std::string_view written, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), written);
  return found == names.end() ? std::nullopt : std::optional(static_cast<int>(found - names.begin()));
}

int indexOfName(const Piece& written, const std::vector<std::string>& names, std::string_view kind,
                const std::function<std::optional<int>(std::string_view)>& other) {
  if (const auto found = indexOfListedName(written.text, names)) return *found;
  std::string_view name = written.text;
  if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  if (const auto found = indexOfListedName(name, names)) return *found;
  if (const auto found = other ? other(name) : std::nullopt) return *found;
  if (names.empty())
    throw FormulaError(written.offset, fmt::format("no {} \"{}\"; there is none", kind, name));
  throw FormulaError(written.offset, unknownNameMessage(kind, name, names));
}

Piece renameResidualPart(Piece written) {
  if (written.text == "residual") written.text = "balance";
  return written;
}

int parseInteger(const Piece& written, int least, int most, std::string_view what) {
  int value = 0;
  for (const char c : written.text)
    value =
        std::isdigit(static_cast<unsigned char>(c)) != 0 && value < 100000000 ? 10 * value + (c - '0') : -1;
  if (written.text.empty() || value < least || value > most)
    throw FormulaError(written.offset, fmt::format("{}, got {}", what, written.text));
  return value;
}

}  // namespace ricochet::calls
