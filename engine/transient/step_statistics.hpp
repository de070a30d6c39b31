#pragma once

#include "engine/numerics/real.hpp"
#include "engine/numerics/state.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// A kinematic quantity whose statistics are recorded over every step: row . q, or row . v.
struct StepChannel {
  Vector row;                 ///< row over the modes, padded
  bool ofDisplacement{true};  ///< false: the quantity is a velocity, row . v
};

/// Record of a channel after some steps: extrema, and the time integrals of x and its square by the
/// trapezoidal rule over the steps.
template <class Real>
struct ChannelRecord {
  Real x{};     ///< value at the last accepted instant
  Real rate{};  ///< rate of a displacement at this instant
  Real largest{};
  Real smallest{};
  Real integral{};
  Real squareIntegral{};
};

/// Fraction of a step at which the cubic through (x0, v0, x1, v1) has its extremum, for rates of opposite
/// signs, and the value there. With d = x1 - x0, a = 3 (h (v0 + v1) - 2 d), b = 3 d - h (2 v0 + v1), c = h
/// v0:
///     p(s) = x0 + c s + b s^2 + a/3 s^3,   p'(s) = c + 2 b s + a s^2 = 0.
/// In (0, 1) p' has exactly one root, which is computed by the formula without cancellation.
template <class Real>
Real extremumOfCubicMotionInStep(const Real& x0, const Real& v0, const Real& x1, const Real& v1,
                                 const Constant<Real>& h) noexcept {
  const Real d = x1 - x0;
  const Real a = 3.0 * (h * (v0 + v1) - 2.0 * d);
  const Real b = 3.0 * d - h * (2.0 * v0 + v1);
  const Real c = h * v0;
  const Real square = b * b - a * c;
  const Real root = sqrt(select(square > 0.0, square, Real(0.0)));
  const Real towards = select(c > 0.0, root, -root);
  const Real direct = c / (towards - b);
  const Real other = (-b - towards) / a;
  const Real s = select(towards * b > 0.0, other, direct);
  return x0 + s * (c + s * (b + s * (a * (1.0 / 3.0))));
}

/// Adds a step of length h that ended at the value x and the rate `rate`.
template <class Real>
void addStepToStatistics(ChannelRecord<Real>& record, const Real& x, const Real& rate,
                         const Constant<Real>& h, bool ofDisplacement) noexcept {
  const auto widen = [&record](const Real& value) {
    record.largest = select(value > record.largest, value, record.largest);
    record.smallest = select(record.smallest > value, value, record.smallest);
  };
  widen(x);
  if (ofDisplacement) {
    const Mask<Real> turns = Real(0.0) > record.rate * rate;
    if (any(turns))
      widen(select(turns, extremumOfCubicMotionInStep<Real>(record.x, record.rate, x, rate, h), x));
  }
  record.integral = record.integral + 0.5 * h * (record.x + x);
  record.squareIntegral = record.squareIntegral + 0.5 * h * (record.x * record.x + x * x);
  record.x = x;
  record.rate = rate;
}

/// Extrema, mean and root mean square of kinematic quantities over all accepted steps of a run, not only over
/// archived instants. If the velocity changes its sign in a step, the extremum of the cubic Hermite
/// interpolant is used. Lanes of a batch give bitwise identical records.
class StepStatistics {
 public:
  explicit StepStatistics(std::vector<StepChannel> channels);

  const std::vector<StepChannel>& channels() const noexcept { return channels_; }

  /// Starts new records at the start of a run.
  void startRecords(const State& s) noexcept;
  /// Adds the accepted step of length h that ended at s.
  void addStepEnd(const State& s, double h) noexcept;

  double largest(std::size_t i) const { return records_[i].largest; }
  double smallest(std::size_t i) const { return records_[i].smallest; }
  /// Mean of a channel over the recorded time; the initial value if there was no step.
  double mean(std::size_t i) const;
  double rootMeanSquare(std::size_t i) const;

  /// Channel records, which the lanes of a batch update themselves.
  std::span<ChannelRecord<double>> channelRecords() noexcept { return records_; }
  double& recordedDuration() noexcept { return duration_; }

 private:
  double channelValueAt(std::size_t i, const State& s) const noexcept;
  double channelRateAt(std::size_t i, const State& s) const noexcept;

  std::vector<StepChannel> channels_;
  std::vector<ChannelRecord<double>> records_;
  double duration_{0.0};  // recorded time [s]
};

}  // namespace ricochet
