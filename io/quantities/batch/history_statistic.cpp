#include "io/quantities/batch/history_statistic.hpp"

#include "engine/numerics/extremes.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {

void HistoryStatistic::start() {
  range_ = {};
  sum_ = length_ = 0.0;
  ends_ = 0;
  seesEnds_ = false;
  scratch_.resize(history_->channels.size());
}

/// Adds the part of a step inside the window: the polynomials of the step are sampled again at the points of
/// the part.
void HistoryStatistic::addStep(const PieceGrid& grid, double begin, double end,
                               std::span<const double> atPoints) {
  if (end <= window_.from || begin >= window_.to) return;
  if (begin >= window_.from && end <= window_.to) return addWholeStep(grid, end - begin, atPoints);
  const double first = std::max(begin, window_.from), last = std::min(end, window_.to);
  const std::size_t channels = history_->channels.size();
  inWindow_.resize(atPoints.size());
  for (std::size_t i = 0; i < grid.samples(); ++i) {
    const double part = (first + grid.parts()[i] * (last - first) - begin) / (end - begin);
    grid.interpolateToPart(atPoints, part, std::span(inWindow_).subspan(i * channels, channels));
  }
  addWholeStep(grid, last - first, inWindow_);
}

void HistoryStatistic::addWholeStep(const PieceGrid& grid, double h, std::span<const double> atPoints) {
  if (extremes_) return includeExtremes(grid, atPoints);
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
    sum = halvedIntegral(
        [&](double from, double to) {
          return integral(grid, atPoints, {from, to});
        },
        0.0, 1.0, sum, kAgree * size);
  }
  sum_ += h * sum;
}

/// Integral over a part of the step, with the same Gauss points scaled to this part.
double HistoryStatistic::integral(const PieceGrid& grid, std::span<const double> atPoints, StepPart part) {
  double sum = 0.0;
  for (std::size_t i = 0; i < grid.points(); ++i) {
    grid.interpolateToPart(atPoints, part.from + grid.point(i) * (part.to - part.from), scratch_);
    sum += grid.weight(i) * summand(valueOf(scratch_));
  }
  return (part.to - part.from) * sum;
}

void HistoryStatistic::includeExtremes(const PieceGrid& grid, std::span<const double> atPoints) {
  if (affine_) return includeAffineExtremes(atPoints);
  // reduces a cell to 1e-9 of its length: there a smooth extremum is constant within rounding
  constexpr int kSections = 40;
  const std::size_t channels = history_->channels.size();
  if (!isResolved(atPoints)) return includeSampledExtremes(grid, atPoints);
  atCells_.resize(grid.cells() + 1);
  channelsAtCells_.resize(atCells_.size() * channels);
  grid.interpolateToCells(atPoints, channels, channelsAtCells_);
  for (std::size_t i = 0; i < atCells_.size(); ++i)
    atCells_[i] = valueOf(std::span<const double>(channelsAtCells_).subspan(i * channels, channels));
  for (const double sign : {1.0, -1.0}) {
    double& best = sign > 0.0 ? range_.highest : range_.lowest;
    const auto atCell = [&](std::size_t i) { return sign * atCells_[i]; };
    const auto f = [&](double part) {
      grid.interpolateToPart(atPoints, part, scratch_);
      return sign * valueOf(scratch_);
    };
    best = sign * largestValueOverCells(EvenCells{0.0, 1.0, grid.cells()}, atCell, f, kSections, sign * best);
  }
}

/// True if polynomials through the points of the step resolve all quantities; motions of nodes have no kink
/// in a step.
bool HistoryStatistic::isResolved(std::span<const double> atPoints) const noexcept {
  const std::size_t channels = history_->channels.size();
  for (std::size_t c = 0; c < channels; ++c) {
    if (history_->channels[c].ofNode() != nullptr) continue;
    SampledPolynomial::Samples samples;
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = atPoints[i * channels + c];
    if (!SampledPolynomial::isResolved(samples)) return false;
  }
  return true;
}

/// Includes the extremes of the samples, and of the parabola through three of them if the middle sample is an
/// extreme.
void HistoryStatistic::includeSampledExtremes(const PieceGrid& grid, std::span<const double> atPoints) {
  const std::size_t channels = history_->channels.size();
  SampledPolynomial::Samples values;
  for (std::size_t i = 0; i < values.size(); ++i)
    range_.include(values[i] = valueOf(atPoints.subspan(i * channels, channels)));
  for (std::size_t i = 1; i + 1 < values.size(); ++i)
    includePeak({grid.point(i - 1), grid.point(i), grid.point(i + 1)},
                {values[i - 1], values[i], values[i + 1]});
}

/// Of an absolute value, the argument is examined, because the absolute value may have a kink.
void HistoryStatistic::includeAffineExtremes(std::span<const double> atPoints) {
  const std::size_t channels = history_->channels.size();
  SampledPolynomial::Samples samples;
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = affine_->valueOf(atPoints.subspan(i * channels, channels));
  if (!affine_->ofSize) return SampledPolynomial::include(range_, samples);
  ValueRange inside;
  if (!lowest_)
    inside = {-range_.highest, range_.highest};  // an absolute value that is no new maximum is not examined
  SampledPolynomial::include(inside, samples);
  range_.highest = larger(range_.highest, larger(inside.highest, -inside.lowest));
  if (!lowest_) return;
  const bool crosses = inside.lowest <= 0.0 && inside.highest >= 0.0;
  range_.include(crosses ? 0.0 : std::min(std::abs(inside.lowest), std::abs(inside.highest)));
}

void HistoryStatistic::addEndValue(double time, double value) {
  const auto at = [&](double bound) {
    return valueBefore_ + (bound - timeBefore_) / (time - timeBefore_) * (value - valueBefore_);
  };
  const bool isFirst = !seesEnds_;
  const bool begins = !isFirst && timeBefore_ < window_.from && time > window_.from;
  const bool ends = !isFirst && timeBefore_ < window_.to && time > window_.to;
  if (begins) includeEndValue(window_.from, at(window_.from));
  if (ends) includeEndValue(window_.to, at(window_.to));
  if (time >= window_.from && time <= window_.to) includeEndValue(time, value);
  seesEnds_ = true;
  timeBefore_ = time;
  valueBefore_ = value;
}

void HistoryStatistic::includeEndValue(double time, double value) {
  std::shift_left(times_.begin(), times_.end(), 1);
  std::shift_left(values_.begin(), values_.end(), 1);
  times_.back() = time;
  values_.back() = value;
  range_.include(value);
  if (++ends_ > 1) {
    const double h = times_[4] - times_[3];
    sum_ += 0.5 * h * (summand(values_[3]) + summand(values_[4]));
    length_ += h;
  }
  if (ends_ > 4 && isSmoothOverEnds())
    includePeak({times_[1], times_[2], times_[3]}, {values_[1], values_[2], values_[3]});
}

/// True if the last five values have no jump or kink between them: their curvature changes little. A parabola
/// over a jump, such as the force of a dashpot where its contact closes, would exceed the values by an eighth
/// of the jump, whatever the step.
bool HistoryStatistic::isSmoothOverEnds() const noexcept {
  constexpr double kMostChange = 2.5;
  std::array<double, 3> curvature{};
  for (std::size_t i = 0; i < curvature.size(); ++i) {
    const double h0 = times_[i + 1] - times_[i], h1 = times_[i + 2] - times_[i + 1];
    curvature[i] = ((values_[i + 2] - values_[i + 1]) / h1 - (values_[i + 1] - values_[i]) / h0) / (h0 + h1);
  }
  const auto [least, most] = std::ranges::minmax(curvature);
  return least > 0.0 ? most <= kMostChange * least : most < 0.0 && least >= kMostChange * most;
}

/// Includes the extreme of the parabola through three values, if the middle one is the largest or smallest.
void HistoryStatistic::includePeak(const std::array<double, 3>& times,
                                   const std::array<double, 3>& values) noexcept {
  const double before = values[1] - values[0];
  const double after = values[2] - values[1];
  if (before * after >= 0.0) return;
  const double h0 = times[1] - times[0];
  const double h1 = times[2] - times[1];
  if (!(h0 > 0.0) || !(h1 > 0.0)) return;
  const double curvature = (after / h1 - before / h0) / (h0 + h1);
  const double slope = (before / h0 * h1 + after / h1 * h0) / (h0 + h1);
  range_.include(values[1] - 0.25 * slope * slope / curvature);
}

}  // namespace ricochet
