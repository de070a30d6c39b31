#pragma once

#include <string>
#include <string_view>

namespace ricochet {

/// True if a text holds control characters (which a terminal would execute) other than tabs and line breaks.
bool hasControlCharacters(std::string_view text) noexcept;

/// A message for a terminal: control characters but for line breaks are written as \x1b, tabs as blanks, and
/// no line is longer than 500 bytes (never half a character of UTF-8).
std::string printableMessage(std::string_view text);

}  // namespace ricochet
