#pragma once

#include "engine/functions/formula.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace ricochet {

/// Least and largest value over an interval, not safe against rounding. A part of an interval that is outside
/// of the domain of an operation has no values.
struct FormulaRange {
  double least{0.0};
  double largest{0.0};

  bool containsValue(double value) const noexcept { return least <= value && value <= largest; }
};

FormulaRange unionOfFormulaRanges(FormulaRange a, FormulaRange b) noexcept;

/// Bounds of the result of an operation whose operands have these bounds (interval arithmetic).
FormulaRange rangeOfResult(const FormulaInstruction& instruction, const FormulaRange* operands) noexcept;

/// Bounds of a formula whose variables lie within these bounds, with the rounding of its own operations. Of
/// an `if` whose compared values are apart, only the branch that is taken counts.
FormulaRange rangeWithRounding(const Formula& formula, std::span<const FormulaRange> variables) noexcept;

/// Value of a variable that stays while another one varies: no two are equal, as their difference may be a
/// divisor.
constexpr double fixedValueOfOtherVariable(double others, std::size_t index) noexcept {
  constexpr double kApart = 0.6180339887;
  return others * (1.0 + kApart * static_cast<double>(index));
}

/// Runs a formula over an interval of one of its variables, of this index, while all others have values near
/// `others` (fixedValueOfOtherVariable). Shows the bounds of each result to `see`, and returns those of the
/// formula.
template <class See>
FormulaRange rangeOfFormula(const Formula& formula, FormulaRange interval, See&& see,
                            std::size_t variable = 0, double others = 0.0) noexcept {
  std::array<FormulaRange, Formula::kDepth> stack{};
  std::size_t size = 0;
  for (const FormulaInstruction& i : formula.program()) {
    size -= operandCount(i.op);
    FormulaRange& top = stack[size++];
    const bool varies = i.op == FormulaOp::variable && static_cast<std::size_t>(i.integer) == variable;
    const double value = i.op == FormulaOp::constant
                             ? i.constant
                             : fixedValueOfOtherVariable(others, static_cast<std::size_t>(i.integer));
    if (operandCount(i.op) > 0)
      top = rangeOfResult(i, &top);
    else
      top = varies ? interval : FormulaRange{value, value};
    see(i, top);
  }
  return stack[0];
}

}  // namespace ricochet
