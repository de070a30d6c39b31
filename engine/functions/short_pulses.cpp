#include "engine/functions/short_pulses.hpp"

#include "engine/functions/formula_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

constexpr std::size_t kMostOps = 16;  // number of operations of a formula that are examined for pulses

/// True for an operation whose result may be a pulse. Branches are none, because `event` finds their changes
/// as roots.
bool canResultBePulse(const FormulaInstruction& i) noexcept {
  constexpr int kPulsePower = 8;
  return i.op == FormulaOp::constantOver || i.op == FormulaOp::exp || i.op == FormulaOp::divide ||
         i.op == FormulaOp::power ||
         (i.op == FormulaOp::integerPower && (i.integer < 0 || i.integer > kPulsePower));
}

/// FormulaRange of the results of these operations over an interval of t; of no width: their values.
std::array<FormulaRange, kMostOps> operationRangesOver(const Formula& formula, FormulaRange t) noexcept {
  std::array<FormulaRange, kMostOps> results{};
  std::size_t seen = 0;
  rangeOfFormula(formula, t, [&](const FormulaInstruction& i, FormulaRange result) {
    if (canResultBePulse(i) && seen < kMostOps) results[seen++] = result;
  });
  return results;
}

/// True if a result over an interval may be far outside of its values at the ends; over a long interval: if
/// it may vary at all.
bool canIntervalHidePulse(const Formula& formula, FormulaRange t, bool isLong) noexcept {
  constexpr double kFar = 1e-2;  // fraction of the largest value
  const auto inside = operationRangesOver(formula, t),
             begin = operationRangesOver(formula, {t.least, t.least}),
             end = operationRangesOver(formula, {t.largest, t.largest});
  for (std::size_t k = 0; k < kMostOps; ++k) {
    const FormulaRange ends = isLong ? begin[k] : unionOfFormulaRanges(begin[k], end[k]);
    const double far = kFar * std::max(std::abs(inside[k].least), std::abs(inside[k].largest));
    if (std::isfinite(far) ? inside[k].largest - ends.largest > far || ends.least - inside[k].least > far
                           : isLong)
      return true;
  }
  return false;
}

/// True if the values of a formula at some instants are far from straight lines through its samples.
bool doesFormulaDifferFromInterpolation(const Formula& formula, const std::vector<double>& instants,
                                        double from, double spacing) {
  constexpr double kFar = 1e-6;  // smallest deviation that counts, as a fraction of the largest value
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

std::vector<double> instantsAroundShortPulsesOfFormula(const Formula& formula, double from, double to) {
  constexpr int kMostIntervals = 8000;
  constexpr std::size_t kMostInstants = 400;
  constexpr double kSampling = 1e-3, kShortest = 1e-9;  // fractions of the duration of the run
  if (std::ranges::none_of(formula.program(), canResultBePulse) || !(to > from)) return {};
  std::vector<double> instants;
  std::vector<FormulaRange> left{{from, to}};
  for (int seen = 0; !left.empty(); ++seen) {
    const FormulaRange t = left.back();
    left.pop_back();
    const double width = t.largest - t.least, middle = 0.5 * (t.least + t.largest);
    const bool isShort = width < kSampling * (to - from);
    if (width < kShortest * (to - from) || !canIntervalHidePulse(formula, t, !isShort)) continue;
    if (seen > kMostIntervals || instants.size() > kMostInstants) return {};
    if (isShort) instants.insert(instants.end(), {t.least, middle, t.largest});
    left.insert(left.end(), {{t.least, middle}, {middle, t.largest}});
  }
  std::ranges::sort(instants);
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  return doesFormulaDifferFromInterpolation(formula, instants, from, kSampling * (to - from))
             ? instants
             : std::vector<double>{};
}

}  // namespace ricochet
