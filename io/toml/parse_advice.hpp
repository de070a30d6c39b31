#pragma once

#include "io/text/input_error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ricochet {

/// What the parser of TOML says of a text that is none.
struct ParseFault {
  std::string_view text;   ///< the whole text
  SourceLocation where;    ///< at which the parser stopped
  std::string_view words;  ///< reason that the parser gives
};

/// The problem of a text that is no TOML, with the remedy where it is known. Its place is that of the fault
/// or, of an array or a text that is not closed, where it opens: the parser stops at a later line.
InputProblem problemOf(const ParseFault& fault);

}  // namespace ricochet
