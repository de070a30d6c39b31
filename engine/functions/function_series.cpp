#include "engine/functions/function_series.hpp"

#include "engine/functions/formula.hpp"
#include "engine/numerics/certified_root.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

int FunctionSeries::read(const FunctionCursor& function, double t, std::span<double> series) {
  const Formula* formula = function.formulaOrNull();
  if (formula == nullptr) {
    const TimeFunction::Piece piece = function.piece();
    series[0] = piece.at(t);
    if (piece.slope == 0.0) return series[0] == 0.0 ? 0 : 1;
    series[1] = piece.slope;
    return 2;
  }
  tape_.clear();
  const std::array<double, 2> coefficients{t + shift_, 1.0};
  const std::array<Series, 1> variables{tape_.input(coefficients)};
  const Series value = formula->evaluate<Series>(variables);
  const auto count = std::min(series.size(), static_cast<std::size_t>(order_ + 1));
  tape_.run(1, static_cast<int>(count) - 1);
  for (std::size_t k = 0; k < count; ++k) series[k] = value.coefficient(static_cast<int>(k));
  if (replaceBySecant(*formula, t, series.first(count))) return 2;
  for (const Series& decision : tape_.decisions()) {
    if (used_ == decisions_.size()) decisions_.emplace_back();
    std::vector<double>& p = decisions_[used_++];
    p.resize(count);
    for (std::size_t k = 0; k < count; ++k) p[k] = decision.coefficient(static_cast<int>(k));
  }
  return value.isConstant() ? 1 : static_cast<int>(count);
}

/// Replaces a series that is not finite, although the function is, by the straight line over `secant_`. The
/// error of the function is then at most its change over this interval; for t^a the error of the integral is
/// secant_^(1 + a).
bool FunctionSeries::replaceBySecant(const Formula& formula, double t, std::span<double> series) {
  const auto finite = [](double each) { return std::isfinite(each); };
  if (!(secant_ > 0.0) || std::ranges::all_of(series, finite)) return false;
  const double begin = t + shift_, end = begin + secant_;
  const double first = formula.evaluate<double>(std::span(&begin, 1));
  const double last = formula.evaluate<double>(std::span(&end, 1));
  if (!std::isfinite(first) || !std::isfinite(last)) return false;
  std::fill(series.begin(), series.end(), 0.0);
  series[0] = first;
  series[1] = (last - first) / secant_;
  const std::array<double, 2> left{secant_, -1.0};
  endStepAtRoot(left);
  return true;
}

void FunctionSeries::endStepAtRoot(std::span<const double> decision) {
  if (used_ == decisions_.size()) decisions_.emplace_back();
  decisions_[used_++].assign(decision.begin(), decision.end());
}

double FunctionSeries::nextKink(double step) noexcept {
  for (std::size_t i = 0; i < used_; ++i) {
    std::span<const double> p(decisions_[i]);
    while (p.size() > 1 && p[0] == 0.0)
      p = deflatedPolynomial(p, 1);  // roots at t = 0: both operands are equal at the start
    if (p[0] <= 0.0) continue;
    step = std::min(step, firstRoot(p, step).time);
  }
  return step;
}

std::array<double, 3> derivativesAt(const TimeFunction& function, double time) {
  FunctionCursor cursor(function);
  cursor.seek(time);
  FunctionSeries series(2);
  std::array<double, 3> found{};
  series.read(cursor, time, found);
  found[2] *= 2.0;
  return found;
}

}  // namespace ricochet
