#include "io/quantities/batch/history_statistic.hpp"

#include "engine/numerics/extremes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {

StepGrid::StepGrid() : gauss_(kPoints) {
  for (const double x : gauss_.point) parts_.push_back(0.5 * (1.0 + x));
  std::vector<double> unit(kPoints * kPoints, 0.0);
  for (std::size_t i = 0; i < kPoints; ++i) unit[i * kPoints + i] = 1.0;
  interpolation_.resize((kCells + 1) * kPoints);
  for (std::size_t c = 0; c <= kCells; ++c)
    toPart(unit, static_cast<double>(c) / kCells, std::span(interpolation_).subspan(c * kPoints, kPoints));
}

void StepGrid::toPart(std::span<const double> atPoints, double part, std::span<double> values) const {
  const double x = 2.0 * part - 1.0;
  const std::size_t channels = values.size();
  std::fill(values.begin(), values.end(), 0.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double distance = x - gauss_.point[i];
    if (distance == 0.0) {
      std::copy_n(atPoints.begin() + static_cast<std::ptrdiff_t>(i * channels), channels, values.begin());
      return;
    }
    const double weight = gauss_.barycentric[i] / distance;
    sum += weight;
    for (std::size_t c = 0; c < channels; ++c) values[c] += weight * atPoints[i * channels + c];
  }
  for (double& value : values) value /= sum;
}

void StepGrid::toCells(std::span<const double> atPoints, std::size_t channels,
                       std::span<double> atCells) const {
  std::fill(atCells.begin(), atCells.end(), 0.0);
  for (std::size_t cell = 0; cell <= kCells; ++cell)
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double weight = interpolation_[cell * kPoints + i];
      for (std::size_t c = 0; c < channels; ++c)
        atCells[cell * channels + c] += weight * atPoints[i * channels + c];
    }
}

void HistoryStatistic::start() {
  highest_ = -std::numeric_limits<double>::infinity();
  lowest_ = std::numeric_limits<double>::infinity();
  sum_ = length_ = 0.0;
  ends_ = 0;
  scratch_.resize(history_->channels.size());
}

void HistoryStatistic::takeStep(const StepGrid& grid, double begin, double end,
                                std::span<const double> atPoints, std::span<const double> atCells) {
  if (extremes_) return takeExtremes(grid, atPoints, atCells);
  const double h = end - begin;
  length_ += h;
  const std::size_t channels = history_->channels.size();
  double sum = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < StepGrid::kPoints; ++i) {
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

/// Over a part of the step by the same Gauss points.
double HistoryStatistic::integral(const StepGrid& grid, std::span<const double> atPoints, StepPart part) {
  double sum = 0.0;
  for (std::size_t i = 0; i < StepGrid::kPoints; ++i) {
    grid.toPart(atPoints, part.from + grid.parts()[i] * (part.to - part.from), scratch_);
    sum += grid.weight(i) * summand(valueOf(scratch_));
  }
  return (part.to - part.from) * sum;
}

/// The same by halves until they agree: where there is no kink they do at once.
double HistoryStatistic::refinedIntegral(const StepGrid& grid, std::span<const double> atPoints,
                                         StepPart part, const Refinement& known) {
  const double middle = 0.5 * (part.from + part.to);
  const StepPart halves[] = {{part.from, middle}, {middle, part.to}};
  const double left = integral(grid, atPoints, halves[0]);
  const double right = integral(grid, atPoints, halves[1]);
  if (known.depth == 0 || std::abs(left + right - known.whole) <= known.tolerance) return left + right;
  return refinedIntegral(grid, atPoints, halves[0], {left, known.tolerance, known.depth - 1}) +
         refinedIntegral(grid, atPoints, halves[1], {right, known.tolerance, known.depth - 1});
}

void HistoryStatistic::takeExtremes(const StepGrid& grid, std::span<const double> atPoints,
                                    std::span<const double> atCells) {
  constexpr std::size_t kCells = StepGrid::kCells;
  const std::size_t channels = history_->channels.size();
  std::array<double, kCells + 1> value;
  for (std::size_t cell = 0; cell <= kCells; ++cell)
    value[cell] = valueOf(atCells.subspan(cell * channels, channels));
  for (const double sign : {1.0, -1.0}) {
    double& best = sign > 0.0 ? highest_ : lowest_;
    for (const double x : value) best = sign * std::max(sign * best, sign * x);
    for (std::size_t cell = 0; cell <= kCells; ++cell) {
      const double here = sign * value[cell];
      const double left = sign * value[cell == 0 ? 0 : cell - 1];
      const double right = sign * value[std::min(cell + 1, kCells)];
      if (here < left || here < right) continue;
      // between the samples a smooth peak is no higher than this above them
      if (here + (here - left) + (here - right) < sign * best) continue;
      refine(grid, atPoints, cell, sign, best);
    }
  }
}

/// The peak next to an end of a cell: golden sections.
void HistoryStatistic::refine(const StepGrid& grid, std::span<const double> atPoints, std::size_t cell,
                              double sign, double& best) {
  constexpr auto kCells = static_cast<double>(StepGrid::kCells);
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSections = 40;  // to 1e-9 of a cell: a smooth peak is flat there to rounding
  const auto f = [&](double part) {
    grid.toPart(atPoints, part, scratch_);
    return sign * valueOf(scratch_);
  };
  double a = std::max(0.0, (static_cast<double>(cell) - 1.0) / kCells);
  double b = std::min(1.0, (static_cast<double>(cell) + 1.0) / kCells);
  double x = b - kGolden * (b - a);
  double y = a + kGolden * (b - a);
  double fx = f(x);
  double fy = f(y);
  for (int i = 0; i < kSections; ++i) {
    if (fx >= fy) {
      b = y;
      y = x;
      fy = fx;
      x = b - kGolden * (b - a);
      fx = f(x);
    } else {
      a = x;
      x = y;
      fx = fy;
      y = a + kGolden * (b - a);
      fy = f(y);
    }
  }
  best = sign * std::max(sign * best, std::max(fx, fy));
}

void HistoryStatistic::takeEnd(double time, double value) {
  for (int i = 0; i < 2; ++i) {
    times_[i] = times_[i + 1];
    values_[i] = values_[i + 1];
  }
  times_[2] = time;
  values_[2] = value;
  highest_ = larger(highest_, value);
  lowest_ = smaller(lowest_, value);
  if (++ends_ > 1) {
    const double h = times_[2] - times_[1];
    sum_ += 0.5 * h * (summand(values_[1]) + summand(values_[2]));
    length_ += h;
  }
  if (ends_ > 2) turn();
}

/// A peak in the middle of three ends is that of their parabola.
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
  highest_ = larger(highest_, peak);
  lowest_ = smaller(lowest_, peak);
}

}  // namespace ricochet
