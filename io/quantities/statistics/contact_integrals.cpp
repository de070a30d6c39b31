// Integrals over pieces of quantities that may have a kink inside: sizes of vectors, and the gap where the
// nearest side changes.

#include "engine/numerics/quadrature.hpp"
#include "io/quantities/statistics/between_instants.hpp"
#include "io/quantities/statistics/contact_follower.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace ricochet {
namespace {

constexpr double kAgreed = 1e-13;  // difference of two estimates, relative to the largest value

template <class F>
double halvedSum(const PieceGrid& grid, double from, double to, const F& f, double tolerance) {
  const auto gaussSum = [&](double begin, double end) {
    double sum = 0.0;
    for (std::size_t i = 0; i < grid.points(); ++i)
      sum += grid.weight(i) * f(begin + grid.point(i) * (end - begin));
    return (end - begin) * sum;
  };
  return integrateByHalving(gaussSum, from, to, gaussSum(from, to), tolerance);
}

}  // namespace

/// Replaces the Gauss sums of a series that disagree with the composite Simpson rule over the cells, and the
/// sums of a gap whose nearest side changes.
void ContactFollower::refineMomentsAtKinks() noexcept {
  constexpr double kSmooth = 2e-5;  // error of the Simpson rule for a smooth series
  // Fraction of the coordinates behind a signal, whose rounding is below the tolerance.
  constexpr double kSmallest = 1e-2;
  const std::size_t n = grid_->cells();
  const double h = piece_.end - piece_.begin;
  const double kink = instantOfSideChange(contact_->obstacle, piece_.begin, piece_.end,
                                          [this](double t) { return channelsAt(t); });
  for (const Signal signal : {Signal::gap, Signal::tangentialForce}) {
    const auto s = static_cast<std::size_t>(signal);
    double simpson = cells_[0][s] + cells_[n][s], most = 0.0;
    for (std::size_t i = 1; i < n; ++i) simpson += (i % 2 == 1 ? 4.0 : 2.0) * cells_[i][s];
    for (std::size_t i = 0; i <= n; ++i) most = std::max(most, std::abs(cells_[i][s]));
    simpson *= h / (3.0 * static_cast<double>(n));
    const double size = std::max(most, kSmallest * largestRoundedValue(signal));
    const double tolerance = kAgreed * h * size;
    const bool turns = signal == Signal::gap && kink < piece_.end;
    if (!turns && !(std::abs(simpson - sums_[s].integral) > std::max(kSmooth * h * most, tolerance)))
      continue;
    const double middle = turns ? kink : piece_.begin + 0.5 * h;
    const auto value = [&](double t) { return signalAt(signal, t); };
    const auto square = [&](double t) { return value(t) * value(t); };
    sums_[s] = {.integral = halvedSum(*grid_, piece_.begin, middle, value, tolerance) +
                            halvedSum(*grid_, middle, piece_.end, value, tolerance),
                .square = halvedSum(*grid_, piece_.begin, middle, square, tolerance * most) +
                          halvedSum(*grid_, middle, piece_.end, square, tolerance * most)};
  }
}

/// Largest number over the piece whose rounding a signal has: a gap is a difference of places [m], a friction
/// force belongs to the normal force [N].
double ContactFollower::largestRoundedValue(Signal signal) const noexcept {
  const bool isGap = signal == Signal::gap;
  double size = isGap ? contact_->offset.norm() : 0.0;
  for (const Signals& each : std::span(cells_).first(grid_->cells() + 1))
    for (const Signal behind : {Signal::normalForce, Signal::position1, Signal::position2, Signal::position3})
      if (isGap != (behind == Signal::normalForce))
        size = std::max(size, std::abs(each[static_cast<std::size_t>(behind)]));
  return size;
}

void ContactFollower::addMoments(WindowTotals& window, Interval in) const noexcept {
  const auto add = [&window](std::size_t s, double integral, double square) {
    window.signals[s].integral += integral;
    window.signals[s].square += square;
  };
  if (coversWholePiece(in)) {
    for (std::size_t s = 0; s < kSignals; ++s) add(s, sums_[s].integral, sums_[s].square);
    return;
  }
  for (std::size_t i = 0; i < grid_->points(); ++i) {
    const double share = (in.to - in.from) * grid_->weight(i);
    const Signals x = computeSignals(channelsAt(in.from + grid_->point(i) * (in.to - in.from)));
    for (std::size_t s = 0; s < kSignals; ++s) add(s, share * x[s], share * x[s] * x[s]);
  }
}

/// Work N |s'| of an interval; halved where the slip speed falls far below its largest value, since it comes
/// to zero with a kink.
double ContactFollower::wearWorkOver(Interval in) const noexcept {
  constexpr double kFar = 0.25;
  constexpr double kRounding = 1e-12;  // rounding of the slip, relative to the coordinates
  const bool whole = coversWholePiece(in);
  double sum = 0.0, least = std::numeric_limits<double>::infinity(), most = 0.0;
  const auto add = [&](double weight, std::span<const double> at) {
    sum += weight * wearPower(at);
    least = std::min(least, slipSpeedOf(at));
    most = std::max(most, slipSpeedOf(at));
  };
  for (std::size_t i = 0; i < grid_->points(); ++i) {
    if (whole)
      add(grid_->weight(i), std::span(atPoints_).subspan(i * kChannels, kChannels));
    else
      add(grid_->weight(i), channelsAt(in.from + grid_->point(i) * (in.to - in.from)));
  }
  const double known = (in.to - in.from) * sum;
  const bool bends = least < kFar * most && most * in.length() > kRounding * largestRoundedValue(Signal::gap);
  if (!isSeries_ || !bends) return known;
  const auto power = [&](double t) { return wearPower(channelsAt(t)); };
  return halvedSum(*grid_, in.from, in.to, power, kAgreed * std::abs(known));
}

}  // namespace ricochet
