#pragma once

#include "engine/functions/formula.hpp"
#include "engine/numerics/near_name.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Calls in the text of an expression, `name(a, b)`: where they stand and what stands between their
/// parentheses. Everything throws FormulaError with the place of the character at fault.
namespace ricochet::calls {

/// Part of a text and its place there.
struct Piece {
  std::string_view text;
  std::size_t offset;
};

/// A function, its place, and what stands between its parentheses.
struct Call {
  Piece name;
  std::vector<Piece> arguments;
  std::size_t end;  // one past the closing parenthesis
};

/// Without the blanks around it.
Piece trimmed(Piece piece);

/// Whether a character is of a name.
bool isWord(char c);

/// The call whose name begins at `offset`; nothing if a word stands there without parentheses. The first
/// argument may be one of `known`, whatever characters that has.
std::optional<Call> callAt(std::string_view text, std::size_t offset, const std::vector<std::string>& known);

/// Puts the name of a variable where a call stood, and blanks up to its end: places stay what they were.
void replace(std::string& text, const Call& call, const std::string& variable);

void requireArguments(const Call& call, std::size_t least, std::size_t most, std::string_view what);

std::optional<int> findName(std::string_view written, const std::vector<std::string>& names);

/// Index of a name, which may stand in quotes; `other` knows more of them.
int indexOf(const Piece& written, const std::vector<std::string>& names, std::string_view kind,
            const std::function<std::optional<int>(std::string_view)>& other = {});

/// A whole number from `least` to `most`; `what` says so.
int smallInteger(const Piece& written, int least, int most, std::string_view what);

/// Index of one of few words.
template <class Names>
int oneOf(const Piece& written, const Names& names) {
  const auto found = std::find(names.begin(), names.end(), written.text);
  if (found == names.end())
    throw FormulaError(written.offset,
                       fmt::format("must be one of {}, got {}", joinNames(names), written.text));
  return static_cast<int>(found - names.begin());
}

}  // namespace ricochet::calls
