#include "io/quantities/batch/history_statistic.hpp"

#include "engine/numerics/extremes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {

void HistoryStatistic::start() {
  range_ = {};
  sum_ = length_ = 0.0;
  ends_ = 0;
  scratch_.resize(history_->channels.size());
}

void HistoryStatistic::takeStep(const PieceGrid& grid, double begin, double end,
                                std::span<const double> atPoints, std::span<const double> atCells) {
  if (extremes_) return takeExtremes(grid, atPoints, atCells);
  const double h = end - begin;
  length_ += h;
  const std::size_t channels = history_->channels.size();
  double sum = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < grid.points(); ++i) {
    const double part = grid.weight(i) * summand(valueOf(atPoints.subspan(i * channels, channels)));
    sum += part;
    size += std::abs(part);
  }
  if (!history_->formula.isSmooth()) {
    constexpr double kAgree = 1e-13;
    constexpr int kDepth = 40;
    sum = refinedIntegral(grid, atPoints, {0.0, 1.0}, {sum, kAgree * size, kDepth});
  }
  sum_ += h * sum;
}

/// Integral over a part of the step, with the same Gauss points scaled to this part.
double HistoryStatistic::integral(const PieceGrid& grid, std::span<const double> atPoints, StepPart part) {
  double sum = 0.0;
  for (std::size_t i = 0; i < grid.points(); ++i) {
    grid.toPart(atPoints, part.from + grid.point(i) * (part.to - part.from), scratch_);
    sum += grid.weight(i) * summand(valueOf(scratch_));
  }
  return (part.to - part.from) * sum;
}

/// Integral over a part of the step, halved recursively until two estimates agree; without a kink the first
/// two estimates agree.
double HistoryStatistic::refinedIntegral(const PieceGrid& grid, std::span<const double> atPoints,
                                         StepPart part, const Refinement& known) {
  const double middle = 0.5 * (part.from + part.to);
  const StepPart halves[] = {{part.from, middle}, {middle, part.to}};
  const double left = integral(grid, atPoints, halves[0]);
  const double right = integral(grid, atPoints, halves[1]);
  if (known.depth == 0 || std::abs(left + right - known.whole) <= known.tolerance) return left + right;
  return refinedIntegral(grid, atPoints, halves[0], {left, known.tolerance, known.depth - 1}) +
         refinedIntegral(grid, atPoints, halves[1], {right, known.tolerance, known.depth - 1});
}

void HistoryStatistic::takeExtremes(const PieceGrid& grid, std::span<const double> atPoints,
                                    std::span<const double> atCells) {
  if (affine_) return takeAffineExtremes(atPoints);
  constexpr int kSections = 40;  // reduces a cell to 1e-9 of its length: there a smooth extremum is constant
                                 // within rounding
  const std::size_t channels = history_->channels.size();
  atPoints_.resize(grid.points());
  for (std::size_t i = 0; i < grid.points(); ++i)
    atPoints_[i] = valueOf(atPoints.subspan(i * channels, channels));
  for (std::size_t c = 0; c < channels; ++c)
    if (history_->channels[c].ofNode() == nullptr && !isResolved(grid, atPoints.subspan(c), channels))
      return takeSampledExtremes(grid);
  atCells_.resize(grid.cells() + 1);
  for (std::size_t i = 0; i < atCells_.size(); ++i)
    atCells_[i] = valueOf(atCells.subspan(i * channels, channels));
  for (const double sign : {1.0, -1.0}) {
    double& best = sign > 0.0 ? range_.highest : range_.lowest;
    const auto atCell = [&](std::size_t i) { return sign * atCells_[i]; };
    const auto f = [&](double part) {
      grid.toPart(atPoints, part, scratch_);
      return sign * valueOf(scratch_);
    };
    best = sign * largestOver(EvenCells{0.0, 1.0, grid.cells()}, atCell, f, kSections, sign * best);
  }
}

/// Whether the polynomial through the Gauss points of a step resolves the quantity: the last two coefficients
/// of its Legendre series, (2k + 1) sum w f P_k, have died away. A kink, as of a gap where its nearest side
/// changes, leaves them of order 1/k^2, and the polynomial overshoots.
bool HistoryStatistic::isResolved(const PieceGrid& grid, std::span<const double> values,
                                  std::size_t stride) noexcept {
  constexpr double kResolved = 1e-6;
  const std::size_t n = grid.points();
  double largest = 0.0;
  std::array<double, 2> last{};  // coefficients n - 2 and n - 1
  for (std::size_t i = 0; i < n; ++i) {
    const double x = 2.0 * grid.point(i) - 1.0;
    double before = 1.0, legendre = x;  // P_0, P_1
    for (std::size_t k = 1; k + 1 < n; ++k) {
      const auto order = static_cast<double>(k);
      const double next = ((2.0 * order + 1.0) * x * legendre - order * before) / (order + 1.0);
      before = legendre;
      legendre = next;
    }
    last[0] += grid.weight(i) * values[i * stride] * before;
    last[1] += grid.weight(i) * values[i * stride] * legendre;
    largest = std::max(largest, std::abs(values[i * stride]));
  }
  const auto twice = 2.0 * static_cast<double>(n);
  return (twice - 3.0) * std::abs(last[0]) + (twice - 1.0) * std::abs(last[1]) <= kResolved * largest;
}

/// Extremes of the samples alone, and of the parabola through three of them where the middle one is an
/// extreme.
void HistoryStatistic::takeSampledExtremes(const PieceGrid& grid) {
  for (std::size_t i = 0; i < grid.points(); ++i) {
    range_.include(atPoints_[i]);
    if (i == 0 || i + 1 == grid.points()) continue;
    const double before = atPoints_[i] - atPoints_[i - 1], after = atPoints_[i + 1] - atPoints_[i];
    if (before * after >= 0.0) continue;
    const double h0 = grid.point(i) - grid.point(i - 1), h1 = grid.point(i + 1) - grid.point(i);
    const double curvature = (after / h1 - before / h0) / (h0 + h1);
    const double slope = (before / h0 * h1 + after / h1 * h0) / (h0 + h1);
    range_.include(atPoints_[i] - 0.25 * slope * slope / curvature);
  }
}

/// The argument of an absolute value is followed, whose size may have a kink.
void HistoryStatistic::takeAffineExtremes(std::span<const double> atPoints) {
  const std::size_t channels = history_->channels.size();
  SampledPolynomial::Samples samples;
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = affine_->valueOf(atPoints.subspan(i * channels, channels));
  if (!affine_->ofSize) return SampledPolynomial::include(range_, samples);
  ValueRange inside;
  if (!lowest_)
    inside = {-range_.highest, range_.highest};  // a size that is no new maximum is not looked for
  SampledPolynomial::include(inside, samples);
  range_.highest = larger(range_.highest, larger(inside.highest, -inside.lowest));
  if (!lowest_) return;
  const bool crosses = inside.lowest <= 0.0 && inside.highest >= 0.0;
  range_.include(crosses ? 0.0 : std::min(std::abs(inside.lowest), std::abs(inside.highest)));
}

void HistoryStatistic::takeEnd(double time, double value) {
  for (int i = 0; i < 2; ++i) {
    times_[i] = times_[i + 1];
    values_[i] = values_[i + 1];
  }
  times_[2] = time;
  values_[2] = value;
  range_.include(value);
  if (++ends_ > 1) {
    const double h = times_[2] - times_[1];
    sum_ += 0.5 * h * (summand(values_[1]) + summand(values_[2]));
    length_ += h;
  }
  if (ends_ > 2) turn();
}

/// Extreme value from the parabola through the last three step ends, if the middle value is the largest or
/// smallest.
void HistoryStatistic::turn() {
  const double before = values_[1] - values_[0];
  const double after = values_[2] - values_[1];
  if (before * after >= 0.0) return;
  const double h0 = times_[1] - times_[0];
  const double h1 = times_[2] - times_[1];
  if (!(h0 > 0.0) || !(h1 > 0.0)) return;
  const double curvature = (after / h1 - before / h0) / (h0 + h1);
  const double slope = (before / h0 * h1 + after / h1 * h0) / (h0 + h1);
  const double peak = values_[1] - 0.25 * slope * slope / curvature;
  range_.include(peak);
}

}  // namespace ricochet
