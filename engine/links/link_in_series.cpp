#include "engine/links/link_in_series.hpp"

#include "engine/functions/function_series.hpp"
#include "engine/numerics/bisection.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRoundingOfSeries = 4.0 * std::numeric_limits<double>::epsilon();

Eigen::Vector2d toVector(const std::array<double, kLinkAxes>& values) { return {values[0], values[1]}; }
std::array<double, kLinkAxes> toArray(const Eigen::Vector2d& values) { return {values[0], values[1]}; }

/// Interval that contains the root x of x + S f(x) = x_free along one axis, where the left side increases.
struct Bracket {
  double low{-kInfinity}, high{kInfinity};

  void narrowRootBracket(double x, double residual) noexcept { (residual > 0.0 ? high : low) = x; }
  /// Next guess of the root: a step of Newton's method if it stays in the interval.
  double nextRootEstimate(double x, double residual, double slope, bool halves) const noexcept {
    // Close to zero, rounding of the law can prevent the end of Newton's method.
    if (halves && std::isfinite(low) && std::isfinite(high)) return middleFloatingPointNumber(low, high);
    const double newton = x - residual / slope;
    if (slope > 0.0 && newton > low && newton < high) return newton;
    const double beyond = x - 2.0 * residual;
    if (beyond > low && beyond < high && !(std::isfinite(low) && std::isfinite(high))) return beyond;
    return 0.5 * (low + high);
  }
};

/// A displacement that is small compared with the displacements of a link, and large compared with rounding
/// [m].
double displacementIncrement(double x, double target) noexcept {
  constexpr double kLittle = 1e-9;  // limit [m], and part of the displacements
  return kLittle * std::max({1.0, std::abs(x), std::abs(target)});
}

/// Interval beyond a displacement at which the force decreases by more than 1/S, in the direction `way` (1 or
/// -1) of the coordinates, that contains the next balance of the link; empty: no balance near.
std::optional<Bracket> bracketForceBalanceBeyondJump(const Link& link, const LinkState& from,
                                                     LinkMotion<double> own, double target,
                                                     double way) noexcept {
  constexpr int kDoublings = 40;
  const double x = own.x[0];
  double reach = displacementIncrement(x, target);
  for (int i = 0; i < kDoublings; ++i, reach *= 2.0) {
    own.x[0] = x + way * reach;
    const double f = forceAndDerivativesOfLinkLaw(link.law, from, own).force[0];
    if (way * (own.x[0] + link.compliance(0, 0) * f - target) > 0.0)
      return Bracket{std::min(x, own.x[0]), std::max(x, own.x[0])};
  }
  return std::nullopt;
}

/// True if a link in balance loses it slightly ahead in the direction of its motion, because its force jumps
/// there or decreases by more than 1/S.
bool losesBalance(const Link& link, const LinkState& from, LinkMotion<double> own, double target,
                  double way) noexcept {
  constexpr double kLeast = 1e-3;
  const double ahead = displacementIncrement(own.x[0], target);
  own.x[0] += way * ahead;
  const double f = forceAndDerivativesOfLinkLaw(link.law, from, own).force[0];
  return way * (own.x[0] + link.compliance(0, 0) * f - target) < -kLeast * ahead;
}

/// Rate of the displacement of the link itself, without the springs in series.
Eigen::Vector2d linkRateWithoutSeriesSprings(const Link& link, const LinkSlopes& at,
                                             const Eigen::Vector2d& free) {
  const Eigen::Matrix2d moved = Eigen::Matrix2d::Identity() + link.compliance * at.byPosition;
  return moved.inverse() * (free - link.compliance * at.byTime);
}

LinkMotion<double> linkMotionBalancingSeriesSprings(const Link& link, const LinkState& from,
                                                    const LinkMotion<double>& free, bool goesOn) noexcept;

}  // namespace

LinkSlopes forceAndDerivativesOfLinkLaw(const AnyLinkLaw& law, const LinkState& from,
                                        const LinkMotion<double>& motion) noexcept {
  constexpr std::size_t kTime = 2 * kLinkAxes;
  using Local = Dual<kTime + 1>;  // derivatives by displacements, rates and time
  LinkMotion<Local> varied;
  varied.time = Local(motion.time, kTime);
  varied.mostDamping = motion.mostDamping;
  varied.isStraight = motion.isStraight;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    varied.x[axis] = Local(motion.x[axis], axis);
    varied.v[axis] = Local(motion.v[axis], axis + kLinkAxes);
  }
  const LinkResponse<Local> response =
      std::visit([&](const auto& each) { return each.template computeResponse<Local>(from, varied); }, law);
  const auto finite = [](double slope) { return std::isfinite(slope) ? slope : 0.0; };
  LinkSlopes slopes;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    const auto row = static_cast<Eigen::Index>(axis);
    slopes.force[row] = response.force[axis].value();
    slopes.byTime[row] = finite(response.force[axis].slope(kTime));
    for (std::size_t i = 0; i < kLinkAxes; ++i) {
      slopes.byPosition(row, static_cast<Eigen::Index>(i)) = finite(response.force[axis].slope(i));
      slopes.byRate(row, static_cast<Eigen::Index>(i)) = finite(response.force[axis].slope(i + kLinkAxes));
    }
  }
  return slopes;
}

LinkMotion<double> linkMotionWithoutSeriesSprings(const Link& link, const LinkState& from,
                                                  const LinkMotion<double>& free) noexcept {
  LinkMotion<double> own = linkMotionBalancingSeriesSprings(link, from, free, false);
  own.isStraight = link.coupled;
  return own;
}

LinkMotion<double> linkMotionAfterForceDrop(const Link& link, const LinkState& from,
                                            const LinkMotion<double>& free) noexcept {
  return linkMotionBalancingSeriesSprings(link, from, free, true);
}

namespace {

/// Motion of a link whose force balances the springs in series with it. `goesOn`: if the force drops just
/// ahead in the direction of the motion, it counts as already dropped.
LinkMotion<double> linkMotionBalancingSeriesSprings(const Link& link, const LinkState& from,
                                                    const LinkMotion<double>& free, bool goesOn) noexcept {
  if (link.inSeries != InSeries::solved) return free;
  constexpr int kMostRounds = 200, kNewton = 60;
  const Eigen::Matrix2d& s = link.compliance;
  const Eigen::Vector2d target = toVector(free.x), rate = toVector(free.v);
  LinkMotion<double> own = free;
  // starts at the previous displacement: beyond a jump of the force there may be another solution
  Eigen::Vector2d x = toVector(from.motion.x);
  Bracket bracket;
  double before = kInfinity, first = kInfinity, last = kInfinity;
  Eigen::Vector2d accepted = x, step = Eigen::Vector2d::Zero();
  bool jumps = false;
  for (int i = 0; i < kMostRounds; ++i) {
    own.x = toArray(x);
    const LinkSlopes at = forceAndDerivativesOfLinkLaw(link.law, from, own);
    own.v = toArray(linkRateWithoutSeriesSprings(link, at, rate));
    const Eigen::Vector2d residual = x + s * at.force - target;
    const double wrong = last = residual.norm();
    if (i == 0) first = wrong;
    if (wrong <= kRoundingOfSeries * (x.norm() + target.norm() + (s * at.force).norm())) {
      const Eigen::Matrix2d moved = Eigen::Matrix2d::Identity() + s * at.byPosition;
      const bool canJump = !jumps && link.axisCount() == 1 && rate[0] != 0.0;
      const double way = std::copysign(1.0, rate[0]);
      if (moved.determinant() > 0.0 && !(goesOn && canJump && losesBalance(link, from, own, target[0], way)))
        return own;
      last = kInfinity;
      if (!canJump) break;
      const std::optional<Bracket> beyond = bracketForceBalanceBeyondJump(link, from, own, target[0], way);
      if (!beyond) break;
      jumps = true;
      bracket = *beyond;
      x[0] = middleFloatingPointNumber(bracket.low, bracket.high);
      continue;
    }
    if (link.axisCount() == 1) {
      bracket.narrowRootBracket(x[0], residual[0]);
      const double next =
          bracket.nextRootEstimate(x[0], residual[0], 1.0 + s(0, 0) * at.byPosition(0, 0), i >= kNewton);
      if (next == x[0]) return own;  // the bounds are neighbouring numbers
      x[0] = next;
      continue;
    }
    if (wrong < before) {
      before = wrong;
      accepted = x;
      const Eigen::Matrix2d moved = Eigen::Matrix2d::Identity() + s * at.byPosition;
      step = -(moved.inverse() * residual);
    } else {
      step *= 0.5;
      if (step.norm() <= kRoundingOfSeries * accepted.norm()) return own;
    }
    x = accepted + step;
  }
  // Close to zero, the residual may decrease without end because of the rounding of the law.
  constexpr double kVanished = 1e-9;
  if (last <= kVanished * first) return own;
  own.x.fill(std::numeric_limits<double>::quiet_NaN());
  return own;
}

}  // namespace

LinkBounds slopeBoundsOfLinkAt(const Link& link, const LinkMotion<double>& motion) noexcept {
  LinkBounds bounds = std::visit([&](const auto& law) { return law.slopeBounds(motion); }, link.law);
  if (link.inSeries != InSeries::solved) return bounds;
  const Eigen::Matrix2d& compliance = link.compliance;
  // the smaller eigenvalue of two axes
  const double stiffest = link.axisCount() == 1
                              ? compliance(0, 0)
                              : 0.5 * (compliance.trace() - std::hypot(compliance(0, 0) - compliance(1, 1),
                                                                       2.0 * compliance(1, 0)));
  bounds.stiffness /= 1.0 + std::max(0.0, bounds.stiffness) * std::max(0.0, stiffest);
  return bounds;
}

double energyOfSpringsInSeries(const Link& link, const std::array<double, kLinkAxes>& force) noexcept {
  if (link.inSeries != InSeries::solved) return 0.0;
  const Eigen::Vector2d f = toVector(force);
  return 0.5 * f.dot(link.compliance * f);
}

namespace {

/// State of a link whose motion and force have jumped, with the energies of this step.
LinkState linkStateUnderForce(const Link& link, const LinkState& own, const LinkMotion<double>& motion,
                              const std::array<double, kLinkAxes>& force) noexcept {
  LinkState after = own;
  std::visit(
      [&](const auto& law) {
        after.setResponse(motion, law.template computeResponse<double>(own, motion));
        after.force = force;
        law.addEnergiesOfStep(own, after);
      },
      link.law);
  return after;
}

}  // namespace

LinkState linkStateAfterJump(const Link& link, const LinkState& own, const LinkMotion<double>& motion,
                             const std::array<double, kLinkAxes>& force) noexcept {
  constexpr double kRounding = 1e-9;  // relative to the force
  const Eigen::Vector2d before = toVector(own.force), now = toVector(force);
  if ((now - before).norm() <= kRounding * (now.norm() + before.norm())) return own;
  LinkState after = linkStateUnderForce(link, own, motion, force);
  const auto kept = [&](const LinkState& state) {
    return state.stored + energyOfSpringsInSeries(link, state.force) + state.dissipated - state.external;
  };
  after.dissipated += kept(own) - kept(after);
  return after;
}

LinkState linkStateAfterDisplacementJump(const Link& link, const LinkState& own,
                                         const LinkMotion<double>& motion,
                                         const std::array<double, kLinkAxes>& force) noexcept {
  LinkState after = linkStateUnderForce(link, own, motion, force);
  after.external = own.external + (after.stored - own.stored) + (after.dissipated - own.dissipated) +
                   energyOfSpringsInSeries(link, after.force) - energyOfSpringsInSeries(link, own.force);
  return after;
}

double energyLostInJump(const Link& link, const LinkState& from, const LinkState& to, double told) noexcept {
  constexpr double kRounding = 1e-12;  // relative to the energies
  const Eigen::Vector2d jump = toVector(to.jump);
  if (!jump.isZero(0.0)) return 0.5 * jump.dot(link.compliance * jump);
  const Eigen::Vector2d change = toVector(to.force) - toVector(from.force);
  const Eigen::Vector2d moved = toVector(to.motion.x) - toVector(from.motion.x);
  const Eigen::Vector2d free = moved + link.compliance * change;
  const double lost = 0.5 * (toVector(from.force) + toVector(to.force)).dot(moved) - told;
  const double most = 0.5 * change.norm() * free.norm() +
                      kRounding * (std::abs(from.stored) + std::abs(to.stored) + std::abs(to.dissipated));
  return lost > most ? lost : 0.0;
}

std::array<Eigen::Vector2d, 2> forceRatesAtConstantRate(const Link& link, const LinkState& at,
                                                        const Eigen::Vector2d& rate) {
  constexpr int kOrder = 2;
  SeriesTape tape(kOrder);
  LinkMotion<Series> motion;
  motion.time = tape.recordInput(std::array{at.motion.time, 1.0});
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    const double along = rate[static_cast<Eigen::Index>(axis)];
    motion.x[axis] = tape.recordInput(std::array{at.motion.x[axis], along});
    motion.v[axis] = tape.recordInput(std::array{along});
  }
  const LinkResponse<Series> response =
      std::visit([&](const auto& law) { return law.template computeResponse<Series>(at, motion); }, link.law);
  tape.computeSeriesOrders(1, kOrder);
  const auto coefficients = [&](int order) {
    return Eigen::Vector2d(response.force[0].coefficient(order), response.force[1].coefficient(order));
  };
  return {coefficients(1), 2.0 * coefficients(2)};
}

void addForceRates(const LinkSet& set, int number, const State& s, LinkState& view) {
  const Link& link = set.link(number);
  if (link.inSeries == InSeries::none) return;
  Eigen::Vector2d rate = Eigen::Vector2d::Zero(), acceleration = Eigen::Vector2d::Zero();
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
    if (const double* row = set.row(number, axis)) {
      rate[static_cast<Eigen::Index>(axis)] = kernels::dot(row, s.v.data(), set.rowSize());
      acceleration[static_cast<Eigen::Index>(axis)] = kernels::dot(row, s.a.data(), set.rowSize());
    }
  for (const LinkDrive& drive : link.drives) {
    const auto along = valueAndDerivativesAt(drive.displacement, s.time);
    rate += toVector(drive.factors) * along[1];
    acceleration += toVector(drive.factors) * along[2];
  }
  // The law is evaluated on series to second order; an unknown coefficient of x enters the force of its order
  // linearly.
  constexpr int kOrder = 2;
  SeriesTape tape(kOrder);
  LinkMotion<Series> motion;
  motion.time = tape.recordInput(std::array{s.time, 1.0});
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    motion.x[axis] = tape.recordInputByOrder(view.motion.x[axis]);
    motion.v[axis] = tape.recordInputByOrder(view.motion.v[axis]);
  }
  const LinkResponse<Series> response = std::visit(
      [&](const auto& law) { return law.template computeResponse<Series>(view, motion); }, link.law);
  const auto forceUnder = [&](int order, const Eigen::Vector2d& x) {
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      tape.setCoefficient(motion.x[axis], order, x[static_cast<Eigen::Index>(axis)]);
    tape.recomputeOrder(order);
    return Eigen::Vector2d(response.force[0].coefficient(order), response.force[1].coefficient(order));
  };
  Eigen::Matrix2d stiffness = Eigen::Matrix2d::Zero();
  const Eigen::Vector2d still = forceUnder(1, Eigen::Vector2d::Zero());
  for (Eigen::Index axis = 0; axis < static_cast<Eigen::Index>(link.axisCount()); ++axis)
    stiffness.col(axis) = forceUnder(1, Eigen::Vector2d::Unit(axis)) - still;
  const Eigen::Matrix2d compliance =
      link.inSeries == InSeries::solved ? link.compliance : Eigen::Matrix2d(Eigen::Matrix2d::Zero());
  const Eigen::Matrix2d moved = Eigen::Matrix2d::Identity() + compliance * stiffness;
  const auto motionOfOrder = [&](int order, const Eigen::Vector2d& free) {
    return Eigen::Vector2d(moved.inverse() *
                           (free - compliance * forceUnder(order, Eigen::Vector2d::Zero())));
  };
  const Eigen::Vector2d first = motionOfOrder(1, rate);
  view.forceRates[0] = toArray(forceUnder(1, first));
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
    tape.setCoefficient(motion.v[axis], 0, first[static_cast<Eigen::Index>(axis)]);
  const Eigen::Vector2d second = motionOfOrder(2, 0.5 * acceleration);
  view.forceRates[1] = toArray(2.0 * forceUnder(2, second));
  view.motion.v = toArray(first);
  if (link.inSeries != InSeries::withinLaw) return;
  view.motion.x = toArray(toVector(view.motion.x) - link.compliance * toVector(view.force));
  view.motion.v = toArray(first - link.compliance * toVector(view.forceRates[0]));
}

}  // namespace ricochet
