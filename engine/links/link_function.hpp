#pragma once

#include "engine/functions/formula.hpp"
#include "engine/functions/time_function.hpp"
#include "engine/numerics/description.hpp"
#include "engine/numerics/dual_functions.hpp"

#include <cmath>
#include <optional>
#include <span>
#include <string_view>

namespace ricochet {

/// Key "before" or "after" of a law: how its table goes on outside.
constexpr DeckKey deckKeyForArgumentsOutsideTable(std::string_view name, std::string_view where) {
  return DeckKey::optional(name, "-", "\"constant\"", where)
      .allows("linear, constant, zero")
      .defaultsTo("\"linear\"");
}

/// A force as a function of one variable: piecewise linear through the points of a table, or a formula.
class LinkFunction {
 public:
  LinkFunction() = default;
  /// The function must be defined everywhere: TimeFunction::Outside other than `undefined`.
  explicit LinkFunction(TimeFunction function) : function_(std::move(function)) {}
  explicit LinkFunction(Formula formula) : LinkFunction(TimeFunction::formula(std::move(formula))) {}

  const Formula* formulaOrNull() const noexcept { return function_.formulaOrNull(); }
  bool isFormula() const noexcept { return formulaOrNull() != nullptr; }

  template <class Real>
  Real at(const Real& x) const noexcept {
    if (const Formula* formula = function_.formulaOrNull())
      return formula->evaluate(std::span<const Real>(&x, 1));
    const TimeFunction::Piece piece = function_.piece(function_.pieceIndexAfter(valueOf(x)));
    if constexpr (requires { x.coefficient(0); }) recordEndsOfPiece(piece, x);
    return piece.value + piece.slope * (x - piece.begin);
  }

  /// Records the comparisons of x with the two ends of the piece as decisions of the tape: a series holds as
  /// long as x stays on the piece.
  template <class Real>
  static void recordEndsOfPiece(const TimeFunction::Piece& piece, const Real& x) noexcept {
    if (std::isfinite(piece.begin)) static_cast<void>(x < piece.begin);
    if (std::isfinite(piece.end)) static_cast<void>(x < piece.end);
  }

  double slope(double x) const noexcept { return at(Dual<1>(x, 0)).slope(0); }

  /// Largest slope of the table, at least 0 [N/m or N s/m].
  double largestSlope() const noexcept;

  /// Factor c > 0 of a proportional function f = c x: exact for a table; for a formula without branches from
  /// its values at arguments of 1e-12 to 1e12 of both signs. Empty for any other function.
  std::optional<double> proportionalFactor() const noexcept;

  /// Integral of the function between two arguments: exact for a table, by five Gauss points for a formula.
  double integral(double from, double to) const noexcept;

 private:
  TimeFunction function_{TimeFunction::constant(0.0)};
};

}  // namespace ricochet
