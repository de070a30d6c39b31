#include "io/formats/bulk_lines.hpp"

#include "io/text/text_lines.hpp"

#include <fmt/core.h>

namespace ricochet {
namespace {

/// First word of a line, in lower case.
std::string firstLowerCaseWord(std::string_view line) {
  const std::string_view text = withoutOuterBlanks(line);
  return lowerCase(text.substr(0, text.find_first_of(" \t,$'\"")));
}

}  // namespace

bool BulkLines::readNextLine(std::string& line) {
  while (!ended_ && IncludedLines::readNextLine(line)) {
    const std::string word = firstLowerCaseWord(line);
    ended_ = word == "enddata";
    if (ended_) return false;
    if (word != "include") return true;
    includeFileOfStatement(line);
  }
  return false;
}

/// Includes the file of `INCLUDE 'name'` or `INCLUDE name`. A name in quotes goes on over lines up to its
/// second quote, without the blanks at the ends of the lines.
void BulkLines::includeFileOfStatement(std::string& line) {
  const std::string_view rest =
      withoutOuterBlanks(withoutOuterBlanks(line).substr(std::string_view("include").size()));
  const char quote = rest.empty() ? ' ' : rest.front();
  if (quote != '\'' && quote != '"') {
    return includeFile(std::string(rest.substr(0, rest.find_first_of(" \t$"))));
  }
  std::string name(rest.substr(1));
  while (name.find(quote) == std::string::npos) {
    const bool goesOn = IncludedLines::readNextLine(line);
    if (!goesOn || name.size() > kLongestPath)
      return reportProblem(
          fmt::format("follows an INCLUDE whose name of a file, {}, has no second {}: end the name with it",
                      printableExcerpt(name), quote));
    name += withoutOuterBlanks(line);
  }
  name.resize(name.find(quote));
  includeFile(name);
}

}  // namespace ricochet
