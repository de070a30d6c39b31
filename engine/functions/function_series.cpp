#include "engine/functions/function_series.hpp"

#include "engine/functions/formula.hpp"
#include "engine/functions/sampled_agreement.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomial_range.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

// Rounding error of an instant, relative to the instant.
constexpr double kRoundings = 8.0 * std::numeric_limits<double>::epsilon();

/// Time over which the last two terms of a decision are small beside its first terms, so that a root within
/// this time is a root of the decision [s].
double timeWithinWhichSeriesConverges(std::span<const double> p) noexcept {
  constexpr double kTolerance = 1e-13;
  constexpr std::size_t kFirstTerms = 5;
  double shortest = std::numeric_limits<double>::infinity();
  // The series of cos(t^5) lacks most terms. One that lacks the second half of them is taken for a
  // polynomial.
  std::size_t last = p.size();
  if (last >= 4 && p[last - 2] == 0.0)
    while (last > p.size() / 2 && p[last - 1] == 0.0) --last;
  if (last == p.size() / 2) return shortest;
  for (std::size_t k = last < 4 ? last : last - 2; k < last; ++k) {
    if (p[k] == 0.0) continue;
    double longest = 0.0;
    for (std::size_t j = 0; j < std::min(kFirstTerms, p.size() / 2); ++j)
      longest =
          std::max(longest, std::pow(kTolerance * std::abs(p[j] / p[k]), 1.0 / static_cast<double>(k - j)));
    if (longest > 0.0) shortest = std::min(shortest, longest);
  }
  return shortest;
}

bool isFinite(std::span<const double> series) noexcept {
  return std::ranges::all_of(series, [](double each) { return std::isfinite(each); });
}

constexpr int kHighPower = 8;
// Rounding of differences in a formula, relative to its values nearby.
constexpr double kRoundingOfScale = 1e-15;

/// True if a short power series of a formula may lack its last terms and others before them: sines of t^2 and
/// higher powers, as sin(t^3) = t^3 - t^9/6 + ..., and products of more than eight factors t.
bool canPowerSeriesLackTerms(const Formula& formula) noexcept {
  std::array<int, Formula::kDepth> powers{};  // upper bounds of the lowest powers of t, on the stack
  std::size_t depth = 0;
  for (const FormulaInstruction& i : formula.program()) {
    const std::size_t operands = operandCount(i.op);
    int power = i.op == FormulaOp::variable ? 1 : 0;
    for (std::size_t k = depth - operands; k < depth; ++k)
      power = i.op == FormulaOp::multiply ? power + powers[k] : std::max(power, powers[k]);
    if (i.op == FormulaOp::integerPower) power *= std::clamp(i.integer, 1, kHighPower + 1);
    if (power > kHighPower || (power > 1 && (i.op == FormulaOp::sin || i.op == FormulaOp::cos))) return true;
    depth -= operands;
    powers[depth++] = power;
  }
  return false;
}

}  // namespace

bool canPowerSeriesMislead(const Formula& formula) noexcept {
  return std::ranges::any_of(formula.program(), [](const FormulaInstruction& i) {
    switch (i.op) {
      case FormulaOp::integerPower:
        return i.integer < 0 || i.integer > kHighPower;
      case FormulaOp::constantOver:
      case FormulaOp::divide:
      case FormulaOp::power:
      case FormulaOp::atan2:
        return true;
      default:
        return i.op >= FormulaOp::tan && i.op <= FormulaOp::sqrt;
    }
  });
}

int FunctionSeries::expandFunction(const FunctionCursor& function, double t, std::span<double> series) {
  return expandWithBranchesValidAfter(function, function.formulaOrNull() == nullptr ? t : t + shift_, 0.0,
                                      series);
}

int FunctionSeries::expandSupportMotion(const FunctionCursor& function, double t, std::span<double> series) {
  return expandWithBranchesValidAfter(function, t, shift_, series);
}

/// Expands a function at `start`, with the branches of a time `after` the start or later.
int FunctionSeries::expandWithBranchesValidAfter(const FunctionCursor& function, double start, double after,
                                                 std::span<double> series) {
  const Formula* formula = function.formulaOrNull();
  if (formula == nullptr) {
    const TimeFunction::Piece piece = function.piece();
    series[0] = piece.at(start);
    if (piece.slope == 0.0) return series[0] == 0.0 ? 0 : 1;
    series[1] = piece.slope;
    return 2;
  }
  const auto count = std::min({series.size(), static_cast<std::size_t>(order_ + 1), kMostCoefficients});
  constexpr int kTries = 14;        // up to 1e9 roundings
  constexpr double kFirst = 1e-18;  // [s]
  Series value = recordFormulaOnTape(*formula, start, after, static_cast<int>(count) - 1);
  for (int tries = 0;
       tries < kTries &&
       !areFormulaBranchesValid(std::max(4.0 * after, kRoundings * std::abs(start)), after, count);
       ++tries) {
    after = std::max(4.0 * after, std::max(kFirst, kRoundings * std::abs(start)));
    value = recordFormulaOnTape(*formula, start, after, static_cast<int>(count) - 1);
  }
  for (std::size_t k = 0; k < count; ++k) series[k] = value.coefficient(static_cast<int>(k));
  if (replaceSeriesBySecant(*formula, start, series.first(count))) return 2;
  for (const Series& decision : tape_.decisionsOfRecordedBranches()) {
    endStepAtRoot({});
    std::vector<double>& p = decisions_[used_ - 1];
    for (std::size_t k = 0; k < count; ++k) p.push_back(decision.coefficient(static_cast<int>(k)));
    if (secant_ > 0.0 && !isFinite(p)) {
      resolved_ = std::min(resolved_, secant_);
      p.clear();
      continue;
    }
    if (after > 0.0) p[0] = std::max(p[0], polynomialAt(p, after));
    resolved_ = std::min(resolved_, timeWithinWhichSeriesConverges(p));
  }
  if (sampling_ > 0.0 && (canPowerSeriesMislead(*formula) || canPowerSeriesLackTerms(*formula))) {
    if (compared_ == comparisons_.size()) comparisons_.emplace_back();
    Compared& of = comparisons_[compared_++];
    of.formula = formula;
    of.scale = largestFormulaValueAround(*formula, start);
    if (isSeriesOfFormulaNegligible(series.first(count), of.scale)) std::fill_n(series.begin(), count, 0.0);
    of.start = start;
    of.series.assign(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(count));
  }
  if (value.isConstant()) return 1;
  hasFormula_ = true;
  return static_cast<int>(count);
}

/// Largest value of a formula at samples around an instant of the run, up to 3 % of the run away. Differences
/// of the formula are rounded relative to values of about this size; a load that grows over the run must not
/// be compared with its values at the end.
double FunctionSeries::largestFormulaValueAround(const Formula& formula, double t) const noexcept {
  constexpr int kFarthest = 8, kSpacing = 4;  // numbers of samples
  double largest = 0.0;
  for (int i = -kFarthest; i <= kFarthest; ++i) {
    const double at = std::max(start_, t + sampling_ * kSpacing * i);
    const double value = std::abs(formula.evaluate<double>(std::span(&at, 1)));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

/// True if the terms of a series up to the next sample are within rounding of the formula's values nearby, or
/// so small that their squares underflow. A normal force near a zero of high order then vanishes, and does
/// not change its sign by rounding.
bool FunctionSeries::isSeriesOfFormulaNegligible(std::span<const double> series,
                                                 double scale) const noexcept {
  constexpr double kLeast = 1e-110;
  const double least = std::max(kLeast, kRoundingOfScale * scale);
  double power = 1.0;
  return std::ranges::all_of(series, [&](double each) {
    const bool small = std::abs(each) * power < least;
    power *= sampling_;
    return small;
  });
}

/// Series of a formula at t with the branches of an instant `after` later, up to order `last`.
Series FunctionSeries::recordFormulaOnTape(const Formula& formula, double t, double after, int last) {
  tape_.clear();
  const std::array<double, 2> coefficients{t + after, 1.0};
  const std::array<Series, 1> variables{tape_.recordInput(coefficients)};
  const Series value = formula.evaluate<Series>(variables);
  if (after > 0.0) {
    tape_.setCoefficient(variables[0], 0, t);
    tape_.recomputeOrder(0);
  }
  tape_.computeSeriesOrders(1, last);
  return value;
}

/// Whether the branches of the record, of an instant `after` the start, hold for a time `shortest` [s].
/// Values that are equal all the time decide nothing.
bool FunctionSeries::areFormulaBranchesValid(double shortest, double after, std::size_t count) noexcept {
  for (const Series& decision : tape_.decisionsOfRecordedBranches()) {
    std::array<double, kMostCoefficients> all;
    for (std::size_t k = 0; k < count; ++k) all[k] = decision.coefficient(static_cast<int>(k));
    std::span<const double> p(all.data(), count);
    if (std::ranges::all_of(p, [](double each) { return each == 0.0; })) continue;
    if (!isFinite(p)) {
      // Values that are equal at the start decide only after it.
      if (after == 0.0 && all[0] == 0.0) return false;
      continue;
    }
    if (after > 0.0 && !((all[0] = std::max(all[0], polynomialAt(p, after))) > 0.0)) return false;
    while (p[0] == 0.0) p = deflatedPolynomial(p, 1);
    if (p[0] < 0.0 || firstRoot(p, shortest).time < shortest) return false;
  }
  return true;
}

/// Replaces a series that is not finite, although the function is, by the straight line over `secant_`. The
/// error of the function is then at most its change over this interval; for t^a the error of the integral is
/// secant_^(1 + a).
bool FunctionSeries::replaceSeriesBySecant(const Formula& formula, double begin, std::span<double> series) {
  if (!(secant_ > 0.0) || isFinite(series)) return false;
  const double end = begin + secant_;
  const double first = formula.evaluate<double>(std::span(&begin, 1));
  const double last = formula.evaluate<double>(std::span(&end, 1));
  if (!std::isfinite(first) || !std::isfinite(last)) return false;
  std::fill(series.begin(), series.end(), 0.0);
  series[0] = first;
  series[1] = (last - first) / secant_;
  resolved_ = std::min(resolved_, secant_);
  return true;
}

void FunctionSeries::endStepAtRoot(std::span<const double> decision) {
  if (used_ == decisions_.size()) decisions_.emplace_back();
  decisions_[used_++].assign(decision.begin(), decision.end());
}

FunctionSeries::StepEnd FunctionSeries::endOfExpandedStep(double step) noexcept {
  StepEnd end{std::min(step, resolved_), false};
  for (std::size_t i = 0; i < used_; ++i) {
    std::span<const double> p(decisions_[i]);
    while (p.size() > 1 && p[0] == 0.0)
      p = deflatedPolynomial(p, 1);  // roots at t = 0: both operands are equal at the start
    if (p.empty() || p[0] <= 0.0) continue;
    if (const RootSearch root = firstRoot(p, end.time); root.time < end.time) end = {root.time, root.found};
  }
  for (const Compared& of : std::span(comparisons_).first(compared_)) {
    const double agreed = longestStepOfAccurateSeries(
        end.time, sampling_, std::abs(of.series.front()), 0.0,
        [&](double t, double& largest) { return doesSeriesAgreeWithFormula(of, t, largest); });
    if (agreed < end.time) end = {agreed, false};
  }
  return end;
}

/// Whether a formula and its series agree at local time t; `largest` is the largest value so far.
bool FunctionSeries::doesSeriesAgreeWithFormula(const Compared& of, double t, double& largest) noexcept {
  constexpr double kAgreed = 1e-10, kNothing = 1e-100;  // values below count as zero
  const double instant = of.start + t;
  const double exact = of.formula->evaluate<double>(std::span(&instant, 1));
  largest = std::max({largest, std::abs(exact), kNothing / kAgreed});
  const double rounding = 8.0 * kRoundings * std::abs(instant) * std::abs(slopeAt(of.series, t));
  const double least = rounding + kRoundingOfScale * of.scale;
  return !(std::abs(polynomialAt(of.series, t) - exact) > kAgreed * largest + least);
}

std::array<double, 3> valueAndDerivativesAt(const TimeFunction& function, double time) {
  FunctionCursor cursor(function);
  cursor.seek(time);
  FunctionSeries series(2);
  std::array<double, 3> found{};
  series.expandFunction(cursor, time, found);
  found[2] *= 2.0;
  return found;
}

}  // namespace ricochet
