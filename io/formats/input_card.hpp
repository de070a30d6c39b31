#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A keyword line of an input file of Abaqus or CalculiX: "*NODE, NSET=ALL".
struct InputCard {
  std::string name;  ///< name: "*node" in lower case, without blanks
  /// Values of the options by their names in lower case; empty: a flag.
  std::map<std::string, std::string, std::less<>> options;

  /// The value of an option; empty if absent.
  std::string_view optionValue(std::string_view name) const;
};

/// True for a keyword line; two stars begin a comment.
bool isAbaqusKeywordLine(std::string_view line);
bool isAbaqusComment(std::string_view line);

InputCard parseInputCard(std::string_view line);

/// True if a keyword line goes on in the next line: it ends with a comma.
bool isContinuedOnNextLine(std::string_view line);
/// True for a line that can continue a keyword line: it begins with the name of an option.
bool continuesKeywordLine(std::string_view line);

/// Appends to a keyword line the lines in which it goes on. False after a problem.
template <class Lines>
bool appendContinuationLines(std::string& line, Lines& lines) {
  std::string more;
  while (isContinuedOnNextLine(line) && lines.readNextLine(more)) {
    if (isAbaqusComment(more)) continue;
    if (!continuesKeywordLine(more)) {
      lines.reportProblem(
          "must go on with an option, because the line of the keyword before it ends with a comma");
      return false;
    }
    line += more;
  }
  return true;
}

/// Splits a data line at its commas, without blanks around the fields; empty fields count.
void splitInputDataLine(std::string_view line, std::vector<std::string_view>& fields);

}  // namespace ricochet
