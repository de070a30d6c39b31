#include "engine/functions/short_pulses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet {
namespace {

/// Least and largest value over an interval, not safe against rounding.
struct FormulaRange {
  double least{0.0};
  double largest{0.0};

  bool holds(double value) const noexcept { return least <= value && value <= largest; }
};

constexpr FormulaRange kAnyValue{-std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};

/// FormulaRange between two values in any order; unknown if one of them is no number.
FormulaRange rangeBetween(double a, double b) noexcept {
  return std::isnan(a) || std::isnan(b) ? kAnyValue : FormulaRange{std::min(a, b), std::max(a, b)};
}

FormulaRange unitedRange(FormulaRange a, FormulaRange b) noexcept {
  return {std::min(a.least, b.least), std::max(a.largest, b.largest)};
}

FormulaRange productRange(FormulaRange a, FormulaRange b) noexcept {
  return unitedRange(rangeBetween(a.least * b.least, a.largest * b.largest),
                     rangeBetween(a.least * b.largest, a.largest * b.least));
}

FormulaRange reciprocalRange(FormulaRange x) noexcept {
  return x.holds(0.0) ? kAnyValue : rangeBetween(1.0 / x.least, 1.0 / x.largest);
}

FormulaRange powerRange(FormulaRange x, double n) noexcept {
  if (n < 0.0) return reciprocalRange(powerRange(x, -n));
  if (n != std::round(n) && x.least < 0.0) return kAnyValue;
  const FormulaRange ends = rangeBetween(std::pow(x.least, n), std::pow(x.largest, n));
  return std::fmod(n, 2.0) == 0.0 && x.holds(0.0) ? FormulaRange{0.0, ends.largest} : ends;
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

FormulaRange boundsOfResult(const FormulaInstruction& i, const FormulaRange* x) noexcept {
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
      const FormulaRange ends = rangeBetween(formula_arithmetic::unaryResult<double>(i, x[0].least),
                                             formula_arithmetic::unaryResult<double>(i, x[0].largest));
      const double middle = formula_arithmetic::unaryResult<double>(i, 0.0);
      return x[0].holds(0.0) ? FormulaRange{middle, ends.largest} : ends;
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
      return x[1].least == x[1].largest ? powerRange(x[0], x[1].least) : kAnyValue;
    case FormulaOp::tan:
    case FormulaOp::atan2:
      return kAnyValue;
    default:
      break;
  }
  if (operandCount(i.op) == 4) return unitedRange(x[2], x[3]);
  if (operandCount(i.op) == 2) {  // min, max
    const auto f = [&](double a, double b) { return formula_arithmetic::binaryResult<double>(i.op, a, b); };
    return rangeBetween(f(x[0].least, x[1].least), f(x[0].largest, x[1].largest));
  }
  const auto f = [&](double a) { return formula_arithmetic::unaryResult<double>(i, a); };  // monotonic
  return rangeBetween(f(x[0].least), f(x[0].largest));
}

constexpr std::size_t kMostOps = 16;  // operations that are looked at

/// True for an operation whose result may be a pulse. Branches are none, because `event` finds their changes
/// as roots.
bool mayBePulse(const FormulaInstruction& i) noexcept {
  constexpr int kPulsePower = 8;
  return i.op == FormulaOp::constantOver || i.op == FormulaOp::exp || i.op == FormulaOp::divide ||
         i.op == FormulaOp::power ||
         (i.op == FormulaOp::integerPower && (i.integer < 0 || i.integer > kPulsePower));
}

/// FormulaRange of the results of these operations over an interval of t; of no width: their values.
std::array<FormulaRange, kMostOps> resultsOver(const Formula& formula, FormulaRange t) noexcept {
  std::array<FormulaRange, kMostOps> results{};
  std::array<FormulaRange, Formula::kDepth> stack{};
  std::size_t size = 0, seen = 0;
  for (const FormulaInstruction& i : formula.program()) {
    size -= operandCount(i.op);
    FormulaRange& top = stack[size++];
    if (operandCount(i.op) > 0)
      top = boundsOfResult(i, &top);
    else
      top = i.op == FormulaOp::constant ? FormulaRange{i.constant, i.constant} : t;
    if (mayBePulse(i) && seen < kMostOps) results[seen++] = top;
  }
  return results;
}

/// True if a result over an interval may be far outside of its values at the ends; over a long interval: if
/// it may vary at all.
bool mayHidePulse(const Formula& formula, FormulaRange t, bool isLong) noexcept {
  constexpr double kFar = 1e-2;  // of the largest value
  const auto inside = resultsOver(formula, t), begin = resultsOver(formula, {t.least, t.least}),
             end = resultsOver(formula, {t.largest, t.largest});
  for (std::size_t k = 0; k < kMostOps; ++k) {
    const FormulaRange ends = isLong ? begin[k] : unitedRange(begin[k], end[k]);
    const double far = kFar * std::max(std::abs(inside[k].least), std::abs(inside[k].largest));
    if (std::isfinite(far) ? inside[k].largest - ends.largest > far || ends.least - inside[k].least > far
                           : isLong)
      return true;
  }
  return false;
}

/// True if the values of a formula at some instants are far from straight lines through its samples.
bool differsFromSamples(const Formula& formula, const std::vector<double>& instants, double from,
                        double spacing) {
  constexpr double kFar = 1e-6;  // of the largest value
  double largest = 0.0, difference = 0.0;
  for (const double t : instants) {
    const double left = from + spacing * std::floor((t - from) / spacing), share = (t - left) / spacing;
    const double value = formula(t), straight = std::lerp(formula(left), formula(left + spacing), share);
    if (!std::isfinite(value)) return false;
    largest = std::max({largest, std::abs(value), std::abs(straight)});
    difference = std::max(difference, std::abs(value - straight));
  }
  return difference > kFar * largest;
}

}  // namespace

std::vector<double> instantsAroundShortPulses(const Formula& formula, double from, double to) {
  constexpr int kMostIntervals = 8000;
  constexpr std::size_t kMostInstants = 400;
  constexpr double kSampling = 1e-3, kShortest = 1e-9;  // of the run
  if (std::ranges::none_of(formula.program(), mayBePulse) || !(to > from)) return {};
  std::vector<double> instants;
  std::vector<FormulaRange> left{{from, to}};
  for (int seen = 0; !left.empty(); ++seen) {
    const FormulaRange t = left.back();
    left.pop_back();
    const double width = t.largest - t.least, middle = 0.5 * (t.least + t.largest);
    const bool isShort = width < kSampling * (to - from);
    if (width < kShortest * (to - from) || !mayHidePulse(formula, t, !isShort)) continue;
    if (seen > kMostIntervals || instants.size() > kMostInstants) return {};
    if (isShort) instants.insert(instants.end(), {t.least, middle, t.largest});
    left.insert(left.end(), {{t.least, middle}, {middle, t.largest}});
  }
  std::ranges::sort(instants);
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  return differsFromSamples(formula, instants, from, kSampling * (to - from)) ? instants
                                                                              : std::vector<double>{};
}

}  // namespace ricochet
