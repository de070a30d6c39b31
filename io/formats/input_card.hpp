#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A keyword line of an input file of Abaqus or CalculiX: "*NODE, NSET=ALL".
struct InputCard {
  std::string name;                                         ///< "*node": small letters, without blanks
  std::map<std::string, std::string, std::less<>> options;  ///< by their names, likewise; empty: a flag

  /// The value of an option; empty if it is not there.
  std::string_view option(std::string_view name) const;
};

/// Whether a line is one; two stars begin a comment.
bool isInputCard(std::string_view line);
bool isInputComment(std::string_view line);

InputCard inputCard(std::string_view line);

/// Fields of a data line between commas, without blanks around them; those that are empty count.
void splitInputData(std::string_view line, std::vector<std::string_view>& fields);

}  // namespace ricochet
