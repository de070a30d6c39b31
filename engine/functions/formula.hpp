#pragma once

#include "engine/functions/formula_program.hpp"

#include <cassert>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Syntax error of a formula: the offset of the wrong character, from 0, and the token that is needed there.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(std::size_t offset, const std::string& problem)
      : std::runtime_error(problem), offset_(offset) {}
  std::size_t offset() const noexcept { return offset_; }

 private:
  std::size_t offset_;
};

/// A formula from a deck, for example "100*sin(2*pi*20*t)".
///
/// Operators from the lowest to the highest precedence: comparisons (1 if true, 0 if false; they do not
/// chain), + and -, * and /, sign, ^ (right-associative: 2^3^2 = 2^9, -2^2 = -4). `if(c, a, b)` is a where c
/// is not zero and b elsewhere; both are evaluated. Constant subexpressions are evaluated while the formula
/// is parsed; a subexpression without a finite value is an error, and so is a division by a constant zero.
/// Outside its domain a formula gives NaN at run time.
///
/// A whole exponent up to 16 becomes a product and an exponent of 1/2 becomes a root. Neither uses a
/// logarithm, so that the base may be negative or zero.
class Formula {
 public:
  /// Largest stack depth of the program; a formula that nests deeper is refused.
  static constexpr std::size_t kDepth = 32;

  /// Parses a formula. Throws FormulaError. A variable is identified by its index in `variables`.
  static Formula parse(std::string_view text, std::span<const std::string_view> variables);

  /// True if a word is reserved in formulas, whatever the variables are: a function, `pi` or `if`.
  static bool isReservedWord(std::string_view word);

  /// Value of the formula in any arithmetic; `values` has one entry per variable. Nothing is allocated on the
  /// heap.
  template <class Real>
  Real evaluate(std::span<const Real> variables) const {
    constexpr std::size_t kUsual = 6;
    assert(variables.size() >= variables_);
    return depth_ <= kUsual ? formula_arithmetic::evaluateFormulaProgram<kUsual, Real>(program_, variables)
                            : formula_arithmetic::evaluateFormulaProgram<kDepth, Real>(program_, variables);
  }

  /// Derivative of the formula where its variables have these values and derivatives.
  double rateAt(std::span<const double> values, std::span<const double> rates) const;

  /// The value of a formula in at most one variable.
  double operator()(double t) const noexcept;

  /// True if the formula contains no decision (abs, sign, min, max, comparison, if) and thus has no kinks or
  /// jumps.
  bool isSmooth() const noexcept;

  /// True if the formula contains the variable of this index.
  bool containsVariable(std::size_t variable) const noexcept;

  std::span<const FormulaInstruction> program() const noexcept { return program_; }

 private:
  std::vector<FormulaInstruction> program_;  // instructions in postfix order
  std::size_t depth_{0};
  std::size_t variables_{0};
};

}  // namespace ricochet
