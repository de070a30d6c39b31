#include "engine/functions/poles.hpp"

#include "engine/functions/formula_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace ricochet {
namespace {

bool canResultBeInfinite(const FormulaInstruction& i) noexcept {
  return i.op == FormulaOp::constantOver || i.op == FormulaOp::divide || i.op == FormulaOp::power ||
         i.op == FormulaOp::tan || i.op == FormulaOp::log || i.op == FormulaOp::log10 ||
         (i.op == FormulaOp::integerPower && i.integer < 0);
}

/// True if values grow without end as the distance from an instant is halved again and again: their
/// differences do not become smaller then. Those of rounding errors do not go on evenly. Where a denominator
/// vanishes in rounding, as that of x^2/(1 - cos x) close to 0, values farther out decide.
template <class Value>
bool doesValueGrowWithoutBound(const Value& valueAt, double instant, double nearest) {
  constexpr int kHalvings = 14;
  constexpr double kLeast = 0.97, kUneven = 1.1;  // ratios of differences; those of a logarithm are 1
  constexpr double kFlat = 1e-12;                 // share of the value, of rounding
  // Numbers of halvings between `nearest` and the deciding values.
  constexpr int kFarthest = 120, kResolved = 6;
  int outside = 0;
  while (std::isinf(valueAt(instant + std::ldexp(nearest, outside))))
    if (++outside > kFarthest) return true;
  if (outside > 0) nearest = std::ldexp(nearest, outside + kResolved);
  double before = 0.0, difference = 0.0, leastRatio = std::numeric_limits<double>::infinity(),
         largestRatio = 0.0;
  for (int k = kHalvings; k >= 0; --k) {
    const double value = valueAt(instant + std::ldexp(nearest, k));
    if (!std::isfinite(value)) return false;
    if (k < kHalvings) {
      const double next = value - before;
      if (std::abs(next) <= kFlat * std::abs(value)) return false;
      constexpr int kDecides = 6;  // number of the last halvings, in which a pole outweighs all other terms
      if (k < kDecides) {
        leastRatio = std::min(leastRatio, next / difference);
        largestRatio = std::max(largestRatio, next / difference);
      }
      difference = next;
    }
    before = value;
  }
  return leastRatio >= kLeast && (outside > 0 || largestRatio <= kUneven * leastRatio);
}

}  // namespace

std::optional<double> firstPoleOfFormula(const Formula& formula, double from, double to, std::size_t time,
                                         double others) {
  constexpr int kMostIntervals = 8000;
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  if (std::ranges::none_of(formula.program(), canResultBeInfinite) || !(to > from)) return std::nullopt;
  const auto valueAt = [&](double t) {
    std::array<double, 3> variables{};
    for (std::size_t i = 0; i < variables.size(); ++i) variables[i] = fixedValueOfOtherVariable(others, i);
    variables[time] = t;
    return formula.evaluate(std::span<const double>(variables));
  };
  const auto ignore = [](const FormulaInstruction&, FormulaRange) {};
  std::vector<FormulaRange> left{{from, to}};
  double passed = -std::numeric_limits<double>::infinity();  // the last instant that is no pole
  for (int seen = 0; !left.empty() && seen < kMostIntervals; ++seen) {
    const FormulaRange t = left.back();
    left.pop_back();
    const FormulaRange values = rangeOfFormula(formula, t, ignore, time, others);
    if (std::isfinite(values.least) && std::isfinite(values.largest)) continue;
    const double middle = 0.5 * (t.least + t.largest),
                 size = std::max(std::abs(t.least), std::abs(t.largest)),
                 resolved = kRounding * std::max(size, kRounding * (to - from));
    if (t.largest - t.least > 4.0 * resolved) {
      left.insert(left.end(), {{middle, t.largest}, {t.least, middle}});
      continue;
    }
    constexpr double kNear = 512.0;  // the instant is known to a few roundings
    if (middle - passed < kNear * resolved) continue;
    passed = middle;
    for (const double nearest : {-kNear * resolved, kNear * resolved})
      if (doesValueGrowWithoutBound(valueAt, middle, nearest)) return middle;
  }
  return std::nullopt;
}

}  // namespace ricochet
