#pragma once

#include "engine/functions/formula.hpp"
#include "engine/numerics/near_name.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Finds calls `name(a, b)` in the text of an expression, with their positions and arguments. All functions
/// throw FormulaError with the position of the wrong character.
namespace ricochet::calls {

/// A part of the text of an expression, and its position in the text.
struct Piece {
  std::string_view text;
  std::size_t offset;
};

/// A call in an expression: the name of the function, its position, and its arguments.
struct Call {
  Piece name;
  std::vector<Piece> arguments;
  std::size_t end;  // position after the closing parenthesis
};

/// Removes the blanks at both ends of a piece.
Piece withoutBlanksAtEnds(Piece piece);

/// True for a character that can be part of a name.
bool isWordCharacter(char c);

/// Lists of names; entries may be null.
using NameLists = std::array<const std::vector<std::string>*, 2>;

/// Call whose name begins at `offset`; empty if no parenthesis follows the name. `known` gives the names that
/// may be the first argument of a call, this one and those in its arguments; they may contain any characters.
std::optional<Call> parseCallAt(std::string_view text, std::size_t offset,
                                const std::function<NameLists(std::string_view call)>& known);

/// The text of an expression with variables of a formula in place of its calls.
class ReplacedCalls {
 public:
  explicit ReplacedCalls(std::string_view text) : written_(text), rest_(text) {}

  /// Replaces a call by the name of a variable, padded with blanks so that later positions do not change.
  void replaceCallByVariable(const Call& call);

  /// The formula of the text, in these variables. Throws FormulaError, which names calls as they are written.
  Formula parse() const;

 private:
  std::string_view written_;
  std::string rest_;
  std::vector<std::string> variables_;
  std::vector<Piece> replaced_;
};

void requireArgumentCount(const Call& call, std::size_t least, std::size_t most, std::string_view what);

std::optional<int> indexOfListedName(std::string_view written, const std::vector<std::string>& names);

/// Index of a name, which may be in quotes, in `names`; for other names, the index that `other` returns.
/// Throws FormulaError if neither has the name.
int indexOfName(const Piece& written, const std::vector<std::string>& names, std::string_view kind,
                const std::function<std::optional<int>(std::string_view)>& other = {});

/// Parses an integer from `least` to `most`; messages call the integer `what`.
int parseInteger(const Piece& written, int least, int most, std::string_view what);

/// Replaces the word "residual" of an energy part by "balance", which is its name in results: a run prints
/// the largest balance as the residual.
Piece renameResidualPart(Piece written);

/// Index of a word in a list of words.
template <class Names>
int indexOfAllowedName(const Piece& written, const Names& names) {
  const auto found = std::find(names.begin(), names.end(), written.text);
  if (found == names.end())
    throw FormulaError(written.offset,
                       fmt::format("must be one of {}, got {}", joinNames(names), written.text));
  return static_cast<int>(found - names.begin());
}

}  // namespace ricochet::calls
