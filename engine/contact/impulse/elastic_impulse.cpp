#include "engine/contact/impulse/elastic_impulse.hpp"

#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr int kNewtonSteps = 40;
constexpr double kLawRounding = 4e-16;

using SlipDual = Dual<3>;  // derivatives by both slips and the normal force
using RateDual = Dual<1>;  // derivative by the gap rate

/// A normal law over a step of h [s] in which the gap changes at a constant rate; instants are fractions of
/// the step. In such a step, the damping factor of the law is constant, and its gap and its guards are linear
/// in time.
template <class Law>
class LawOverStep {
 public:
  LawOverStep(const Law& law, const ImpulseBlock& block, double rate, double h) noexcept
      : law_(law), block_(block), rate_(rate, 0), h_(h) {}

  /// Mean force over the step [N], with its derivative by the gap rate.
  RateDual meanForce() const noexcept {
    RateDual begin(0.0), end(1.0);
    if (!findClosedFractionOfStep(begin, end)) return RateDual(0.0);
    if constexpr (Law::traits.form == ForceForm::pieces)
      return integralOfPiecewiseLinearForce(begin.value(), end.value());
    if constexpr (Law::traits.form == ForceForm::power) return forceIntegral(begin, end);
    return (end - begin) * forceAt(0.5 * (begin + end));  // midpoint rule: the force is linear in time
  }

 private:
  template <class Real>
  NormalKinematics<Real> kinematicsAt(const Real& theta, const Real& rate) const noexcept {
    NormalKinematics<Real> k{block_.gap + h_ * (theta * rate), rate, Real(block_.imposed)};
    k.approach = Real(block_.approach);
    return k;
  }
  RateDual forceAt(const RateDual& theta) const noexcept {
    return law_.template force<RateDual>(NormalState::closed, kinematicsAt(theta, rate_));
  }

  /// Finds the part of the step in which the contact is closed; returns false if the contact is open over the
  /// whole step.
  bool findClosedFractionOfStep(RateDual& begin, RateDual& end) const noexcept {
    const auto guardsAt = [&](double theta) {
      return law_.template guards<double>(NormalState::closed, kinematicsAt(theta, rate_.value()));
    };
    const NormalGuards<double> first = guardsAt(0.0), last = guardsAt(1.0);
    for (std::size_t i = 0; i < kNormalGuards; ++i) {
      if (first[i] < 0.0 && last[i] < 0.0) return false;
      if (first[i] >= 0.0 && last[i] >= 0.0) continue;
      const auto guardAt = [&](double theta) {
        return law_.template guards<RateDual>(NormalState::closed, kinematicsAt(RateDual(theta), rate_))[i];
      };
      const RateDual before = guardAt(0.0);
      const RateDual crossing = before / (before - guardAt(1.0));
      if (first[i] < 0.0 && crossing > begin) begin = crossing;
      if (last[i] < 0.0 && crossing < end) end = crossing;
    }
    return begin < end;
  }

  /// Integral of the force by Gauss points in s, where theta = shallow + (deep - shallow) s^2 starts at the
  /// end with the smaller penetration: the power n of the penetration, without derivatives at 0, becomes the
  /// power 2 n of s.
  RateDual forceIntegral(const RateDual& begin, const RateDual& end) const noexcept {
    static const GaussLegendre rule(8);
    const RateDual& shallow = rate_ < 0.0 ? begin : end;
    const RateDual reach = (rate_ < 0.0 ? end : begin) - shallow;
    RateDual sum(0.0);
    for (std::size_t k = 0; k < rule.point.size(); ++k) {
      const double s = 0.5 * (1.0 + rule.point[k]);
      sum = sum + (rule.weight[k] * s) * forceAt(shallow + (s * s) * reach);
    }
    return (end - begin) * sum;
  }

  /// Integral of a piecewise linear force: the midpoint rule on each piece between two break points of the
  /// penetration. If the force is continuous at the break points, the slope of its mean does not depend on
  /// their shift.
  RateDual integralOfPiecewiseLinearForce(double begin, double end) const noexcept
      requires(Law::traits.form == ForceForm::pieces) {
    RateDual sum(0.0);
    for (double from = begin; from < end;) {
      double to = end;
      for (const double kink : law_.penetrationsAtTableKinks()) {
        const double theta = -(kink + block_.gap) / (h_ * rate_.value());
        if (theta > from && theta < to) to = theta;
      }
      sum = sum + (to - from) * forceAt(RateDual(0.5 * (from + to)));
      from = to;
    }
    return sum;
  }

  const Law& law_;
  const ImpulseBlock& block_;
  RateDual rate_;
  double h_;
};

}  // namespace

ForceSlope normalForce(const ImpulseBlock& block, double rate, double h) noexcept {
  return std::visit(
      [&]<class Law>(const Law& law) -> ForceSlope {
        if constexpr (Law::traits.imposed) return {std::max(0.0, block.imposed), 0.0};
        const RateDual mean = LawOverStep<Law>(law, block, rate, h).meanForce();
        return {mean.value(), mean.slope(0)};
      },
      block.laws->normal);
}

double TractionSlopes::largestTractionSlope() const noexcept {
  double largest = 0.0;
  for (const auto& row : ofSlip)
    for (const double each : row) largest = std::max(largest, std::abs(each));
  return largest;
}

TractionSlopes meanTractionOfBlock(const ImpulseBlock& block, const Tangential<double>& slip,
                                   double h) noexcept {
  return std::visit(
      [&]<class Law>(const Law& law) -> TractionSlopes {
        if constexpr (Law::traits.setValued) {
          return {};
        } else {
          const auto memory = convertToConstants<SlipDual>(block.memory);
          FrictionKinematics<SlipDual> k;
          k.slipRate = {SlipDual(slip.first, 0), SlipDual(slip.second, 1)};
          k.position = {block.position.first + 0.5 * h * k.slipRate.first,
                        block.position.second + 0.5 * h * k.slipRate.second};
          k.compression = normalForceForFriction(SlipDual(block.impulse[0] / h, 2));
          // the memory of this law changes continuously: it is taken at mid-step
          if constexpr (!Law::traits.coneStick) k.elapsed = 0.5 * h;
          const Tangential<SlipDual> t = law.template computeTrial<SlipDual>(k, memory).traction;
          return {{t.first.value(), t.second.value()},
                  {{{t.first.slope(0), t.first.slope(1)}, {t.second.slope(0), t.second.slope(1)}}},
                  {t.first.slope(2), t.second.slope(2)}};
        }
      },
      block.laws->friction);
}

double solveNormalLaw(const ImpulseBlock& block, double free, double own, double h) noexcept {
  // start of Newton's method: N falls with the rate, so the iteration reaches the closed branch from here
  double x = 0.0;
  for (int i = 0; i < kNewtonSteps; ++i) {
    const ForceSlope force = normalForce(block, free + own * x, h);
    const double step = (h * force.value - x) / (1.0 - h * force.slope * own);
    x += step;
    if (std::abs(step) <= kLawRounding * std::abs(x)) break;
  }
  return x;
}

Tangential<double> solveFrictionLaw(const ImpulseBlock& block, const std::array<double, 3>& d,
                                    const Tangential<double>& free, double h) noexcept {
  // The iteration starts from stick at the position of the spring, so that the stick is kept where possible.
  Tangential<double> y = block.memory.slipping ? block.slipRate() : Tangential<double>{};
  TractionSlopes t = meanTractionOfBlock(block, y, h);
  for (int i = 0; i < kNewtonSteps; ++i) {
    const Tangential<double> x = scaled(h, t.value);
    const Tangential<double> wrong{y.first - free.first - d[0] * x.first - d[1] * x.second,
                                   y.second - free.second - d[1] * x.first - d[2] * x.second};
    const auto entry = [&](double own, double across, std::size_t k) {
      return -h * (own * t.ofSlip[0][k] + across * t.ofSlip[1][k]);
    };
    const double j11 = 1.0 + entry(d[0], d[1], 0), j12 = entry(d[0], d[1], 1);
    const double j21 = entry(d[1], d[2], 0), j22 = 1.0 + entry(d[1], d[2], 1);
    const double determinant = j11 * j22 - j12 * j21;
    const Tangential<double> step{(j22 * wrong.first - j12 * wrong.second) / determinant,
                                  (j11 * wrong.second - j21 * wrong.first) / determinant};
    y = y - step;
    t = meanTractionOfBlock(block, y, h);
    if (dot(step, step) <= kLawRounding * kLawRounding * (dot(y, y) + dot(free, free))) break;
  }
  return scaled(h, t.value);
}

}  // namespace ricochet
