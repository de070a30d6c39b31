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
bool isInputCard(std::string_view line);
bool isInputComment(std::string_view line);

InputCard inputCard(std::string_view line);

/// Splits a data line at its commas, without blanks around the fields; empty fields count.
void splitInputData(std::string_view line, std::vector<std::string_view>& fields);

}  // namespace ricochet
