#include "engine/event/automata/power_guard.hpp"

#include "engine/event/chebyshev/chebyshev_root.hpp"
#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

/// Normal force at local time t of the step, from the gap, with its rate.
Dual<1> normalForceInStep(const SeriesContact& c, double t, std::size_t orders) noexcept {
  const std::span<const double> gap = c.gap.first(orders + 1);
  const Dual<1> time(t, 0);
  NormalKinematics<Dual<1>> k;
  const double rate = slopeAt(gap, t);
  k.gap = Dual<1>::dualFromValueAndSlopes(polynomialAt(gap, t), rate, time);
  k.gapRate = Dual<1>::dualFromValueAndSlopes(rate, secondDerivativeAt(gap, t), time);
  k.approach = c.state.approach;
  return std::visit([&](const auto& law) { return law.template force<Dual<1>>(NormalState::closed, k); },
                    c.contact->normal);
}

/// Traction of a slip on an elastic stick, with its rate: mu(|s'|) N from the gap. The fitted polynomial of
/// the traction has the same moments, but no valid slope where N begins.
Tangential<Dual<1>> slipTractionOnElasticStick(const SeriesContact& c, const Dual<1>& compression,
                                               double rate, double acceleration) noexcept {
  FrictionKinematics<Dual<1>> k;
  k.compression = compression;
  const Dual<1> along = Dual<1>::dualFromValueAndSlopes(rate, acceleration, Dual<1>(0.0, 0));
  k.slipRate = {along * c.axis[0].first, along * c.axis[0].second};
  const auto memory = convertToConstants<Dual<1>>(c.state.friction);
  return std::visit(
      [&](const auto& law) {
        return frictionLawOnSpeedPiece(law, c.speedPiece)
            .template force<Dual<1>>(FrictionState::slip, k, memory);
      },
      c.contact->friction);
}

}  // namespace

PowerGuard::PowerGuard(const SeriesContact& c, GuardSlot slot, std::size_t orders) noexcept
    : c_(c), slot_(slot), orders_(orders) {}

double PowerGuard::valueAt(double t) const noexcept {
  const Tangential<double>& e = c_.axis[0];
  // The path is measured from the start of the step, so that no digits are lost in the total path.
  const std::span<const double> path = c_.path[0].first(orders_ + 1);
  const Tangential<double> start = c_.state.position + scaled(path[0] - dot(c_.state.position, e), e);
  const Dual<1> compression = normalForceInStep(c_, t, orders_);
  FrictionKinematics<double> k;
  k.position = scaled(t * polynomialAt(path.subspan(1), t), e);
  k.slipRate = scaled(slopeAt(path, t), e);
  k.compression = compression.value();
  k.compressionRate = compression.slope(0);
  k.reaction = scaled(polynomialAt(c_.traction[0].first(orders_), t), e);
  k.reactionRate = scaled(slopeAt(c_.traction[0].first(orders_), t), e);
  if (c_.isSlipping() && !c_.setValuedStick && !c_.hasRelaxingSlipSpring()) {
    const Tangential<Dual<1>> traction =
        slipTractionOnElasticStick(c_, compression, slopeAt(path, t), secondDerivativeAt(path, t));
    k.reaction = {traction.first.value(), traction.second.value()};
    k.reactionRate = {traction.first.slope(0), traction.second.slope(0)};
  }
  FrictionMemory<double> memory = c_.state.friction;
  memory.anchorPosition = memory.anchorPosition - start;
  if (c_.hasRelaxingSlipSpring()) {
    memory.anchorForce = scaled(polynomialAt(c_.spring[0].first(orders_), t), e);
    memory.anchorPosition = k.position;
  }
  return std::visit(
      [&](const auto& law) {
        return frictionGuard(frictionLawOnSpeedPiece(law, c_.speedPiece), c_, slot_, k, memory);
      },
      c_.contact->friction);
}

/// Variable of the search, scaled to 1 at the end of the step: sqrt(a + t) - sqrt(a) with the time a since N
/// began, or sqrt(a) - sqrt(a - t) with the time a until N ends.
class PowerGuard::Variable {
 public:
  Variable(const SeriesContact& c, double step) noexcept {
    const double depth = std::max(0.0, -c.gap[0]);
    const double rate = std::abs(c.gap[1]);
    ends_ = c.isFitted ? c.ends : c.gap[1] > 0.0;
    double away = rate > 0.0 ? depth / rate : kFar * step;
    if (ends_) away = std::max(c.isFitted ? c.fitInterval : away, step);
    away = std::min(away, kFar * step);
    root_ = std::sqrt(away);
    length_ = step / (root_ + std::sqrt(std::max(0.0, away + (ends_ ? -step : step))));
  }
  double timeAtVariable(double x) const noexcept {
    const double passed = x * length_;
    return passed * (2.0 * root_ + (ends_ ? -passed : passed));
  }

 private:
  static constexpr double kFar = 1e4;  // a larger `a`, in steps, makes the singularity negligible

  bool ends_;
  double root_, length_;
};

namespace {

constexpr double kShort = 1e-9;  // first instant at which a guard is evaluated, relative to the interval

}  // namespace

double PowerGuard::valueAtStart() const noexcept {
  constexpr double kLater = 1.001;
  const double t = kShort * c_.fitInterval;
  return slot_ == GuardSlot::slip ? valueAt(t) : valueAt(kLater * t) - valueAt(t);
}

double PowerGuard::leadingPowerOfTimeAtStart() const noexcept {
  constexpr double kMost = 8.0;
  const double t = kShort * c_.fitInterval;
  const double first = valueAt(t), second = valueAt(2.0 * t);
  if (!(first > 0.0) || !(second > first)) return 0.0;
  return std::min(kMost, std::log2(second / first));
}

/// Interval of the variable with the first root: between the nodes with a change of sign or, if earlier,
/// around the first root of the interpolating polynomial.
PowerGuard::Bracket PowerGuard::bracketRootOfGuard(const Variable& variable, double step,
                                                   double power) const noexcept {
  const auto& nodes = ChebyshevPolynomial::nodes();
  std::array<double, ChebyshevPolynomial::kNodes> values{};
  Bracket found{0.0, 1.0, false};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double t = variable.timeAtVariable(nodes[i]);
    values[i] = valueAt(t) / std::pow(t, power);
    if (found.changes) continue;
    found.changes = !(values[i] > 0.0);
    (found.changes ? found.high : found.low) = nodes[i];
  }
  found.changes = found.changes || !(valueAt(step) > 0.0);
  const RootSearch search = ChebyshevPolynomial::interpolant(values).firstRoot();
  const bool atZero = values[0] > 0.0 && search.time <= nodes[0];  // root at the start of the step
  if (!search.found || search.time >= found.high || atZero) return found;
  double low = search.time, high = search.time;
  constexpr double kClosest = 1e-14;
  for (double width = kClosest; low > 0.0 && !(valueAt(variable.timeAtVariable(low)) > 0.0); width *= 4.0)
    low = std::max(0.0, search.time - width);
  for (double width = kClosest; high < found.high && valueAt(variable.timeAtVariable(high)) > 0.0;
       width *= 4.0)
    high = std::min(found.high, search.time + width);
  return {low, high, found.changes || !(valueAt(variable.timeAtVariable(high)) > 0.0)};
}

RootSearch PowerGuard::firstRoot(double step, double power) const noexcept {
  if (!(step > 0.0)) return {false, step};
  const Variable variable(c_, step);
  auto [low, high, changes] = bracketRootOfGuard(variable, step, power);
  if (!changes) return {false, step};
  constexpr int kHalvings = 60;
  constexpr double kClosest = 1e-14;
  for (int i = 0; i < kHalvings && high - low > kClosest * high; ++i) {
    const double middle = 0.5 * (low + high);
    (valueAt(variable.timeAtVariable(middle)) > 0.0 ? low : high) = middle;
  }
  return {true, std::min(step, variable.timeAtVariable(high))};
}

}  // namespace ricochet
