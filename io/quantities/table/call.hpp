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

/// Finds calls `name(a, b)` in the text of an expression, with their places and arguments. All functions
/// throw FormulaError with the place of the wrong character.
namespace ricochet::calls {

/// A part of a text and its place.
struct Piece {
  std::string_view text;
  std::size_t offset;
};

/// A call: the function's name, its place, and the text between the parentheses.
struct Call {
  Piece name;
  std::vector<Piece> arguments;
  std::size_t end;  // one past the closing parenthesis
};

/// The piece without blanks at its ends.
Piece trimmedPiece(Piece piece);

/// True for a character of a name.
bool isWord(char c);

/// The call whose name begins at `offset`; empty if no parenthesis follows the name. The first argument may
/// be one of `known`, with any characters.
std::optional<Call> callAt(std::string_view text, std::size_t offset, const std::vector<std::string>& known);

/// Replaces a call by the name of a variable, padded with blanks so that later places do not change.
void replaceCall(std::string& text, const Call& call, const std::string& variable);

void requireArguments(const Call& call, std::size_t least, std::size_t most, std::string_view what);

std::optional<int> findName(std::string_view written, const std::vector<std::string>& names);

/// Index of a name, which may be in quotes, in `names`; of a name that is not there, what `other` returns.
/// Throws FormulaError if neither has the name.
int indexOf(const Piece& written, const std::vector<std::string>& names, std::string_view kind,
            const std::function<std::optional<int>(std::string_view)>& other = {});

/// Parses an integer from `least` to `most`; `what` names it in messages.
int smallInteger(const Piece& written, int least, int most, std::string_view what);

/// The word for a part of the energy. What the ledger leaves over is the balance of results, and its largest
/// value the residual that a run tells: "residual" stands for "balance".
Piece energyPart(Piece written);

/// Index of one of a few words.
template <class Names>
int oneOf(const Piece& written, const Names& names) {
  const auto found = std::find(names.begin(), names.end(), written.text);
  if (found == names.end())
    throw FormulaError(written.offset,
                       fmt::format("must be one of {}, got {}", joinNames(names), written.text));
  return static_cast<int>(found - names.begin());
}

}  // namespace ricochet::calls
