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
#include <utility>

namespace ricochet {
namespace {

constexpr double kAgreed = 1e-13;  // difference of two estimates, relative to the largest value

template <class F>
double adaptiveIntegral(const PieceGrid& grid, double from, double to, const F& f, double tolerance) {
  const auto gaussSum = [&](double begin, double end) {
    double sum = 0.0;
    for (std::size_t i = 0; i < grid.quadraturePointCount(); ++i)
      sum += grid.quadratureWeight(i) * f(begin + grid.quadraturePoint(i) * (end - begin));
    return (end - begin) * sum;
  };
  return integrateByHalving(gaussSum, from, to, gaussSum(from, to), tolerance);
}

/// Integral over [0, 1] by Romberg's method, from values at the ends of equal cells whose number is a power
/// of two.
template <class F>
double rombergSum(std::size_t cells, const F& value) {
  constexpr double kRefinement = 4.0;  // factor of the error of the first order when a cell is halved
  constexpr std::size_t kMostLevels = 8;
  std::array<double, kMostLevels> row{};  // the trapezoidal rule and its extrapolations
  double trapezoid = 0.5 * (value(0) + value(cells));
  row[0] = trapezoid;
  std::size_t level = 1;
  for (std::size_t stride = cells / 2; stride > 0 && level < kMostLevels; stride /= 2, ++level) {
    double middles = 0.0;
    for (std::size_t i = stride; i < cells; i += 2 * stride) middles += value(i);
    const double width = static_cast<double>(stride) / static_cast<double>(cells);
    trapezoid = 0.5 * trapezoid + width * middles;
    double better = trapezoid, factor = 1.0;
    for (std::size_t k = 0; k < level; ++k) {
      const double coarser = std::exchange(row[k], better);
      factor *= kRefinement;
      better += (better - coarser) / (factor - 1.0);
    }
    row[level] = better;
  }
  return row[level - 1];
}

}  // namespace

ContactFollower::Sums ContactFollower::gaussSums(Interval in,
                                                 std::span<const Signals> atPoints) const noexcept {
  Sums sums{};
  for (std::size_t i = 0; i < grid_->quadraturePointCount(); ++i) {
    const Signals& x = atPoints[i];
    const double share = in.length() * grid_->quadratureWeight(i);
    for (std::size_t s = 0; s < kSignals; ++s) {
      sums[s].integral += share * x[s];
      sums[s].square += share * x[s] * x[s];
    }
  }
  return sums;
}

/// Instant at which the nearest side of a gap changes, or a traction passes through zero or turns round;
/// the end of the interval if neither does.
double ContactFollower::instantOfKink(Signal signal, Interval in) const noexcept {
  const auto at = [this](double t) { return interpolatedChannelsAt(t); };
  if (signal == Signal::gap) return instantOfSideChange(contact_->obstacle, in.from, in.to, at);
  return instantOfReversal(in.from, in.to, [&at](double t) {
    const Channels x = at(t);
    return Local<double>{x[kTraction], x[kTraction + 1], 0.0};
  });
}

/// Replaces the Gauss sums of a part of a series in which a gap or a traction turns, and those that disagree
/// with Romberg's sums over its cells.
void ContactFollower::refineMomentsAtKinks(Interval in, const Cells& cells, Sums& sums) const noexcept {
  constexpr double kSmooth = 1e-9;  // error of Romberg's sum for a smooth series
  // Fraction of the coordinates behind a signal, whose rounding is below the tolerance.
  constexpr double kSmallest = 1e-2;
  const std::size_t n = grid_->cellCount();
  const double h = in.length();
  for (const Signal signal : {Signal::gap, Signal::tangentialForce}) {
    const auto s = static_cast<std::size_t>(signal);
    const double romberg = h * rombergSum(n, [&](std::size_t i) { return cells[i][s]; });
    double most = 0.0;
    for (std::size_t i = 0; i <= n; ++i) most = std::max(most, std::abs(cells[i][s]));
    const double size = std::max(most, kSmallest * largestValueWithRounding(signal));
    const double tolerance = kAgreed * h * size;
    const double kink = instantOfKink(signal, in);
    const bool turns = kink < in.to;
    if (!turns && !(std::abs(romberg - sums[s].integral) > std::max(kSmooth * h * most, tolerance))) continue;
    const double middle = turns ? kink : in.from + 0.5 * h;
    const auto value = [&](double t) { return signalAt(signal, t); };
    const auto square = [&](double t) { return value(t) * value(t); };
    sums[s] = {.integral = adaptiveIntegral(*grid_, in.from, middle, value, tolerance) +
                           adaptiveIntegral(*grid_, middle, in.to, value, tolerance),
               .square = adaptiveIntegral(*grid_, in.from, middle, square, tolerance * most) +
                         adaptiveIntegral(*grid_, middle, in.to, square, tolerance * most)};
  }
}

/// Largest number over the piece whose rounding a signal has: a gap is a difference of places [m], a friction
/// force belongs to the normal force [N].
double ContactFollower::largestValueWithRounding(Signal signal) const noexcept {
  const bool isGap = signal == Signal::gap;
  double size = isGap ? contact_->offset.norm() : 0.0;
  for (const Signals& each : std::span(cells_).first(grid_->cellCount() + 1))
    for (const Signal behind : {Signal::normalForce, Signal::position1, Signal::position2, Signal::position3})
      if (isGap != (behind == Signal::normalForce))
        size = std::max(size, std::abs(each[static_cast<std::size_t>(behind)]));
  return size;
}

/// Adds the integrals of all signals and of their squares. `cells`: values at the ends of the cells of `in`.
void ContactFollower::addSignalMoments(WindowTotals& window, Interval in, const Cells& cells) const noexcept {
  Sums ofPart;
  if (!doesIntervalCoverPiece(in)) {
    std::array<Signals, kMostPoints> atPoints;
    for (std::size_t i = 0; i < grid_->quadraturePointCount(); ++i)
      atPoints[i] = computeSignals(interpolatedChannelsAt(in.from + grid_->quadraturePoint(i) * in.length()));
    ofPart = gaussSums(in, atPoints);
    if (isSeries_) refineMomentsAtKinks(in, cells, ofPart);
  }
  const Sums& sums = doesIntervalCoverPiece(in) ? sums_ : ofPart;
  for (std::size_t s = 0; s < kSignals; ++s) {
    window.signals[s].integral += sums[s].integral;
    window.signals[s].square += sums[s].square;
  }
}

/// Work N |s'| of an interval; halved where the slip speed falls far below its largest value, since it comes
/// to zero with a kink.
double ContactFollower::wearWorkOver(Interval in) const noexcept {
  constexpr double kFar = 0.25;
  constexpr double kRounding = 1e-12;  // rounding of the slip, relative to the coordinates
  const bool whole = doesIntervalCoverPiece(in);
  double sum = 0.0, least = std::numeric_limits<double>::infinity(), most = 0.0;
  const auto add = [&](double weight, std::span<const double> at) {
    sum += weight * wearPower(at);
    least = std::min(least, slipSpeedFromChannels(at));
    most = std::max(most, slipSpeedFromChannels(at));
  };
  for (std::size_t i = 0; i < grid_->quadraturePointCount(); ++i) {
    if (whole)
      add(grid_->quadratureWeight(i), std::span(atPoints_).subspan(i * kChannels, kChannels));
    else
      add(grid_->quadratureWeight(i),
          interpolatedChannelsAt(in.from + grid_->quadraturePoint(i) * (in.to - in.from)));
  }
  const double known = (in.to - in.from) * sum;
  const bool bends =
      least < kFar * most && most * in.length() > kRounding * largestValueWithRounding(Signal::gap);
  if (!isSeries_ || !bends) return known;
  const auto power = [&](double t) { return wearPower(interpolatedChannelsAt(t)); };
  return adaptiveIntegral(*grid_, in.from, in.to, power, kAgreed * std::abs(known));
}

}  // namespace ricochet
