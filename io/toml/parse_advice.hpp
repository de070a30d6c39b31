#pragma once

#include "io/text/input_error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ricochet {

/// Error of the parser for a text that is not valid TOML.
struct ParseFault {
  std::string_view text;   ///< the whole text
  SourceLocation where;    ///< position in the text at which the parser stopped
  std::string_view words;  ///< reason that the parser gives
};

/// Problem of a text that is not valid TOML, with the remedy if it is known. Its place is that of the error;
/// for an array or a text that is not closed, the place where it opens, because the parser stops at a later
/// line.
InputProblem parseProblem(const ParseFault& fault);

}  // namespace ricochet
