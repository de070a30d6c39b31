#include "engine/functions/formula_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr FormulaRange kAnyValue{-kInfinite, kInfinite};

/// FormulaRange between two values in any order; unknown if one of them is no number.
FormulaRange rangeBetween(double a, double b) noexcept {
  return std::isnan(a) || std::isnan(b) ? kAnyValue : FormulaRange{std::min(a, b), std::max(a, b)};
}

FormulaRange productRange(FormulaRange a, FormulaRange b) noexcept {
  return unionOfFormulaRanges(rangeBetween(a.least * b.least, a.largest * b.largest),
                              rangeBetween(a.least * b.largest, a.largest * b.least));
}

FormulaRange reciprocalRange(FormulaRange x) noexcept {
  if (x.least == 0.0 && x.largest > 0.0) return {1.0 / x.largest, kInfinite};
  if (x.largest == 0.0 && x.least < 0.0) return {-kInfinite, 1.0 / x.least};
  return x.containsValue(0.0) ? kAnyValue : rangeBetween(1.0 / x.least, 1.0 / x.largest);
}

FormulaRange powerRange(FormulaRange x, double n) noexcept {
  if (n < 0.0) return reciprocalRange(powerRange(x, -n));
  if (n != std::round(n)) x.least = std::max(x.least, 0.0);
  const FormulaRange ends = rangeBetween(std::pow(x.least, n), std::pow(x.largest, n));
  return std::fmod(n, 2.0) == 0.0 && x.containsValue(0.0) ? FormulaRange{0.0, ends.largest} : ends;
}

/// FormulaRange of cos(x): it is 1 at whole multiples of 2 pi and -1 half way between.
FormulaRange cosineRange(FormulaRange x) noexcept {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (!(x.largest - x.least < kTurn)) return {-1.0, 1.0};
  const auto meets = [&](double phase) {
    return std::ceil((x.least - phase) / kTurn) <= std::floor((x.largest - phase) / kTurn);
  };
  const FormulaRange ends = rangeBetween(std::cos(x.least), std::cos(x.largest));
  return {meets(std::numbers::pi) ? -1.0 : ends.least, meets(0.0) ? 1.0 : ends.largest};
}

/// FormulaRange of tan(x): it is infinite half a turn apart, and grows in between.
FormulaRange tangentRange(FormulaRange x) noexcept {
  const auto turns = [](double phase) { return std::floor(phase / std::numbers::pi + 0.5); };
  return x.largest - x.least < std::numbers::pi && turns(x.least) == turns(x.largest)
             ? rangeBetween(std::tan(x.least), std::tan(x.largest))
             : kAnyValue;
}

/// Range of x^y. The base x is taken as >= 0, unless the exponent y is a single number.
FormulaRange generalPowerRange(FormulaRange x, FormulaRange y) noexcept {
  if (y.least == y.largest) return powerRange(x, y.least);
  const double least = std::max(x.least, 0.0);
  return unionOfFormulaRanges(rangeBetween(std::pow(least, y.least), std::pow(x.largest, y.largest)),
                              rangeBetween(std::pow(least, y.largest), std::pow(x.largest, y.least)));
}

/// The part of an interval that lies in the domain of an operation.
FormulaRange partOfIntervalInDomain(FormulaOp op, FormulaRange x) noexcept {
  if (op == FormulaOp::sqrt || op == FormulaOp::log || op == FormulaOp::log10)
    return {std::max(x.least, 0.0), x.largest};
  if (op == FormulaOp::asin || op == FormulaOp::acos)
    return {std::max(x.least, -1.0), std::min(x.largest, 1.0)};
  return x;
}

/// Result of an `if` (operands compared, compared, yes, no).
FormulaRange rangeOfBranches(FormulaOp op, const FormulaRange* x) noexcept {
  const bool apart = x[0].largest < x[1].least || x[1].largest < x[0].least;
  const bool exact = x[0].least == x[0].largest && x[1].least == x[1].largest;
  if (!apart && !exact) return unionOfFormulaRanges(x[2], x[3]);
  return formula_arithmetic::isComparisonTrue(op, x[0].least, x[1].least) ? x[2] : x[3];
}

/// Range of atan2(y, x) over a small rectangle.
FormulaRange rangeOfArcTangent(FormulaRange y, FormulaRange x) noexcept {
  if (x.least <= 0.0 && y.containsValue(0.0)) return {-std::numbers::pi, std::numbers::pi};
  return unionOfFormulaRanges(rangeBetween(std::atan2(y.least, x.least), std::atan2(y.largest, x.largest)),
                              rangeBetween(std::atan2(y.least, x.largest), std::atan2(y.largest, x.least)));
}

/// A range widened by the rounding of the operation that gave it.
FormulaRange rangeWidenedByRounding(FormulaRange x) noexcept {
  constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();
  const double rounding = kRounding * std::max(std::abs(x.least), std::abs(x.largest));
  return {x.least - rounding, x.largest + rounding};
}

}  // namespace

FormulaRange rangeWithRounding(const Formula& formula, std::span<const FormulaRange> variables) noexcept {
  std::array<FormulaRange, Formula::kDepth> stack{};
  std::size_t size = 0;
  for (const FormulaInstruction& i : formula.program()) {
    size -= operandCount(i.op);
    FormulaRange& top = stack[size++];
    if (i.op == FormulaOp::constant)
      top = {i.constant, i.constant};
    else if (i.op == FormulaOp::variable)
      top = variables[static_cast<std::size_t>(i.integer)];
    else if (operandCount(i.op) == 4)
      top = rangeOfBranches(i.op, &top);
    else
      top = rangeWidenedByRounding(i.op == FormulaOp::atan2 ? rangeOfArcTangent(stack[size - 1], stack[size])
                                                            : rangeOfResult(i, &top));
  }
  return stack[0];
}

FormulaRange unionOfFormulaRanges(FormulaRange a, FormulaRange b) noexcept {
  return {std::min(a.least, b.least), std::max(a.largest, b.largest)};
}

FormulaRange rangeOfResult(const FormulaInstruction& i, const FormulaRange* x) noexcept {
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  switch (i.op) {
    case FormulaOp::constantOver:
      return productRange({i.constant, i.constant}, reciprocalRange(x[0]));
    case FormulaOp::integerPower:
      return powerRange(x[0], i.integer);
    case FormulaOp::sin:
      return cosineRange({x[0].least - kQuarter, x[0].largest - kQuarter});
    case FormulaOp::cos:
      return cosineRange(x[0]);
    case FormulaOp::abs:
    case FormulaOp::cosh: {
      const FormulaRange ends =
          rangeBetween(formula_arithmetic::resultOfUnaryOperation<double>(i, x[0].least),
                       formula_arithmetic::resultOfUnaryOperation<double>(i, x[0].largest));
      const double middle = formula_arithmetic::resultOfUnaryOperation<double>(i, 0.0);
      return x[0].containsValue(0.0) ? FormulaRange{middle, ends.largest} : ends;
    }
    case FormulaOp::add:
      return rangeBetween(x[0].least + x[1].least, x[0].largest + x[1].largest);
    case FormulaOp::subtract:
      return rangeBetween(x[0].least - x[1].largest, x[0].largest - x[1].least);
    case FormulaOp::multiply:
      return productRange(x[0], x[1]);
    case FormulaOp::divide:
      return productRange(x[0], reciprocalRange(x[1]));
    case FormulaOp::power:
      return generalPowerRange(x[0], x[1]);
    case FormulaOp::tan:
      return tangentRange(x[0]);
    case FormulaOp::atan2:
      return {-std::numbers::pi, std::numbers::pi};
    default:
      break;
  }
  if (operandCount(i.op) == 4) return unionOfFormulaRanges(x[2], x[3]);
  if (operandCount(i.op) == 2) {  // min, max
    const auto f = [&](double a, double b) {
      return formula_arithmetic::resultOfBinaryOperation<double>(i.op, a, b);
    };
    return rangeBetween(f(x[0].least, x[1].least), f(x[0].largest, x[1].largest));
  }
  const auto f = [&](double a) {
    return formula_arithmetic::resultOfUnaryOperation<double>(i, a);
  };  // monotonic
  const FormulaRange inside = partOfIntervalInDomain(i.op, x[0]);
  return rangeBetween(f(inside.least), f(inside.largest));
}

}  // namespace ricochet
