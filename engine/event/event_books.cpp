// Work of loads and of the damping of the structure over a step of the event scheme.

#include "engine/event/event_run.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

namespace {

/// Gauss points for the integral of v^2 over a part of the step that the tolerance allows. For a sine of the
/// phase theta over the step, the relative error of n points is (2 theta)^2n (n!)^4/((2n + 1) (2n)!^3). A
/// series of order K resolves theta = (tolerance K!)^(1/K) of a motion with all the energy, at most 2.6 rad
/// (K = 24, 1e-14): the error is 4e-12 for eight points, 1e-11 for six points and half the step, and 1e-11
/// for four points and an eighth of the step. A motion with the share s of the energy may have a larger
/// phase, as s^(-1/K), but the factor s^2 outweighs this.
constexpr double kMostTurn = 2.6;
constexpr std::array<double, 3> kParts{0.12, 0.5, 1.0};
const std::array<std::span<const QuadraturePoint>, 3> kPoints{kFourGaussPoints, kSixGaussPoints,
                                                              kEightGaussPoints};

std::size_t quadratureLevelOfStepRatio(double part) noexcept {
  return part < kParts[0] ? 0 : part < kParts[1] ? 1 : 2;
}

/// Raises the level of the quadrature for a load whose terms fall more slowly than a sine of the phase theta
/// over the step, |f_k| h^k <= largest theta^(k-1)/(k-1)!. Above the last level the step is split.
std::size_t quadratureLevelOfLoad(std::span<const double> force, double step, std::size_t level) noexcept {
  constexpr std::size_t kFirst = 3;
  if (force.size() <= kFirst) return level;
  double largest = 0.0;
  double power = 1.0;
  for (const double each : force) {
    largest = std::max(largest, std::abs(each) * power);
    power *= step;
  }
  std::array<double, kParts.size()> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = largest * kMostTurn * kParts[i];
  power = step * step;
  for (std::size_t k = kFirst; k < force.size(); ++k) {
    power *= step;
    for (std::size_t i = 0; i < bounds.size(); ++i)
      bounds[i] *= kMostTurn * kParts[i] / static_cast<double>(k - 1);
    while (level < bounds.size() && std::abs(force[k]) * power > bounds[level]) ++level;
  }
  return level;
}

}  // namespace

/// Kinetic and elastic energy of the structure [J].
double EventRun::mechanicalEnergy(const Vector& q, const Vector& v) const noexcept {
  return 0.5 *
         (kernels::weightedSumOfSquares(planes_.linearSystem().omegaSquared.data(), q.data(), q.size()) +
          kernels::dot(v.data(), v.data(), v.size()));
}

/// Power dissipated by the damping of the structure [W].
double EventRun::dampingPower(const double* v) const noexcept {
  if (!planes_.isSorted()) return equation_.dampingPower(v);
  return kernels::weightedSumOfSquares(planes_.linearSystem().dampingDiagonal.data(), v, planes_.size());
}

/// Adds the work of constant loads from the present state to the displacement `q`.
void EventRun::addWorkOfConstantLoads(const Vector& q) noexcept {
  const Eigen::Index size = state_.q.size();
  for (int i = 0; i < equation_.model().loads.termCount(); ++i) {
    const double force = inLongStep_ ? long_->force(i)[0] : expansion_.force(i)[0];
    if (force != 0.0)
      equation_.accumulatedLedger().external +=
          force * (kernels::dot(modalRowOfLoad(i), q.data(), size) -
                   kernels::dot(modalRowOfLoad(i), state_.q.data(), size));
  }
}

/// Adds the work of the loads and of the damping from the present state to displacement `q` and velocity `v`:
/// Gauss quadrature of the series, or exactly if the loads are constant and the structure is undamped.
void EventRun::addWorkOfLoadsAndDamping(double step, const Vector& q, const Vector& v) {
  if (inLongStep_) return addWorkOfLongStep(step, q, v);
  const bool damped = equation_.linearSystem().isDamped();
  if (!damped && !loads_.isVarying()) return addWorkOfConstantLoads(q);
  std::size_t level = quadratureLevelOfStepRatio(step / truncationStep_);
  for (int i = 0; i < equation_.model().loads.termCount(); ++i)
    level =
        quadratureLevelOfLoad(expansion_.force(i).first(expansion_.forceCoefficientCount(i)), step, level);
  if (level < kPoints.size()) return addIntegralOfPower(kPoints[level], 0.0, step, damped);
  constexpr int kSplit = 4;
  for (int part = 0; part < kSplit; ++part)
    addIntegralOfPower(kEightGaussPoints, part * step / kSplit, step / kSplit, damped);
}

/// Adds the work over a part of the step that starts at `from` [s]: power at the points of a quadrature.
void EventRun::addIntegralOfPower(std::span<const QuadraturePoint> points, double from, double step,
                                  bool damped) noexcept {
  alignas(64) std::array<double, kernels::kMostTogether> instants{};
  const std::span<double> times(instants.data(), points.size());
  for (std::size_t n = 0; n < times.size(); ++n) times[n] = from + points[n].at * step;
  expansion_.velocitiesAt(times, rates_);
  EnergyLedger& accounts = equation_.accumulatedLedger();
  const Eigen::Index size = state_.q.size();
  for (int i = 0; i < equation_.model().loads.termCount(); ++i) {
    if (expansion_.forceCoefficientCount(i) == 0) continue;
    std::array<double, kernels::kMostTogether> rates;
    kernels::dotProductsOfRows(rates_.data(), static_cast<Eigen::Index>(times.size()), modalRowOfLoad(i),
                               size, rates.data());
    alignas(64) std::array<double, kernels::kMostTogether> forces;
    kernels::evaluatePolynomialAtInstants(expansion_.force(i).data(), std::ssize(expansion_.force(i)),
                                          instants.data(), forces.data());
    for (std::size_t n = 0; n < times.size(); ++n)
      accounts.external += points[n].weight * step * forces[n] * rates[n];
  }
  if (!damped) return;
  for (std::size_t n = 0; n < times.size(); ++n) {
    const double* rate = rates_.col(static_cast<Eigen::Index>(n)).data();
    accounts.damping += points[n].weight * step * dampingPower(rate);
    if (!spins_.empty())
      accounts.external += points[n].weight * step * expansion_.powerOfSpinDrives(times[n], rate);
  }
}

/// Adds the work over a long step to displacement q and velocity v. The work of loads is a quadrature; the
/// work of dampers is the work of all forces minus the energy gain of the structure.
void EventRun::addWorkOfLongStep(double step, const Vector& q, const Vector& v) {
  EnergyLedger& accounts = equation_.accumulatedLedger();
  const int loads = static_cast<int>(equation_.model().loads.termCount());
  const double before = accounts.external;
  if (!constantLoads_)
    for (int i = 0; i < loads; ++i) accounts.external += long_->workOfForce(i, step);
  else
    addWorkOfConstantLoads(q);
  if (!equation_.linearSystem().isDamped()) return;
  double work = accounts.external - before;
  for (int c = loads; c < long_->channelCount(); ++c) work += long_->workOfForce(c, step);
  for (int c = 0; c < long_->constraintCount(); ++c) work += long_->workOfReaction(c, step);
  accounts.damping += work - (mechanicalEnergy(q, v) - mechanicalEnergy(state_.q, state_.v));
}

}  // namespace ricochet
