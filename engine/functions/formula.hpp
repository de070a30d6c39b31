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

/// A text that is no formula: the offset of the character at fault, from 0, and what would be right there.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(std::size_t offset, const std::string& problem)
      : std::runtime_error(problem), offset_(offset) {}
  std::size_t offset() const noexcept { return offset_; }

 private:
  std::size_t offset_;
};

/// A formula written by a user: "100*sin(2*pi*20*t)".
///
/// From the loosest to the tightest: comparisons (1 if so, 0 if not; they do not chain), + and -, * and /,
/// sign, ^ (from the right: 2^3^2 = 2^9, -2^2 = -4). `if(c, a, b)` is a where c is not zero, b elsewhere;
/// both are evaluated. Constant parts are computed at once; one that has no finite value is an error, and so
/// is a division by a constant zero. What a formula gives outside its domain at run time is not a number.
///
/// Whole exponents up to 16 are products, an exponent of 1/2 is a root: no logarithm, so that the base may be
/// negative or zero.
class Formula {
 public:
  /// Values that may be waiting at a time: a formula that nests deeper is refused.
  static constexpr std::size_t kDepth = 32;

  /// Throws FormulaError. The variables are told apart by their place in `variables`.
  static Formula parse(std::string_view text, std::span<const std::string_view> variables);

  /// Whether a formula takes this word whatever its variables are: a function, `pi` or `if`.
  static bool takesWord(std::string_view word);

  /// The value in any arithmetic; as many values as there were variables. Takes nothing from the heap.
  template <class Real>
  Real evaluate(std::span<const Real> variables) const {
    constexpr std::size_t kUsual = 6;
    assert(variables.size() >= variables_);
    return depth_ <= kUsual ? formula_arithmetic::run<kUsual, Real>(program_, variables)
                            : formula_arithmetic::run<kDepth, Real>(program_, variables);
  }

  /// The value of a formula in at most one variable.
  double operator()(double t) const noexcept;

  /// Nothing in it decides (abs, sign, min, max, comparisons, if): it has no kinks or jumps by choice.
  bool isSmooth() const noexcept;

  std::span<const FormulaInstruction> program() const noexcept { return program_; }

 private:
  std::vector<FormulaInstruction> program_;  // postfix
  std::size_t depth_{0};
  std::size_t variables_{0};
};

}  // namespace ricochet
