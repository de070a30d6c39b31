#include "engine/contact/impulse/elastic_impulse.hpp"

#include "engine/numerics/dual_functions.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr int kNewtonSteps = 40;
constexpr double kLawRounding = 4e-16;

using SlipDual = Dual<3>;  // against slip along e2, slip along e3, normal force

}  // namespace

ForceSlope normalForce(const ImpulseBlock& block, double rate, double h) noexcept {
  return std::visit(
      [&](const auto& law) -> ForceSlope {
        const Dual<1> y(rate, 0);
        const NormalKinematics<Dual<1>> k{block.gap + h * y, y, block.imposed, {}};
        const auto guards = law.template guards<double>(
            NormalState::closed, {k.gap.value(), k.gapRate.value(), k.imposed.value(), 0.0});
        if (guards[0] < 0.0) return {0.0, 0.0};
        const Dual<1> force = law.template force<Dual<1>>(NormalState::closed, k);
        return {force.value(), force.slope(0)};
      },
      block.laws->normal);
}

double TractionSlopes::largestSlope() const noexcept {
  double largest = 0.0;
  for (const auto& row : ofSlip)
    for (const double each : row) largest = std::max(largest, std::abs(each));
  return largest;
}

TractionSlopes tractionOf(const ImpulseBlock& block, const Tangential<double>& slip, double h) noexcept {
  return std::visit(
      [&]<class Law>(const Law& law) -> TractionSlopes {
        if constexpr (Law::traits.setValued) {
          return {};
        } else {
          const auto memory = constantIn<SlipDual>(block.memory);
          FrictionKinematics<SlipDual> k;
          k.slipRate = {SlipDual(slip.first, 0), SlipDual(slip.second, 1)};
          k.position = {block.position.first + h * k.slipRate.first,
                        block.position.second + h * k.slipRate.second};
          k.compression = SlipDual(block.impulse[0] / h, 2);
          const Tangential<SlipDual> t = law.template trial<SlipDual>(k, memory).traction;
          return {{t.first.value(), t.second.value()},
                  {{{t.first.slope(0), t.first.slope(1)}, {t.second.slope(0), t.second.slope(1)}}},
                  {t.first.slope(2), t.second.slope(2)}};
        }
      },
      block.laws->friction);
}

double solveNormalLaw(const ImpulseBlock& block, double free, double own, double h) noexcept {
  double x = 0.0;  // N falls with the rate: Newton reaches the branch that pushes from here
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
  // a stick starts where its spring was, so that it is kept where possible
  Tangential<double> y = block.memory.slipping ? block.slip() : Tangential<double>{};
  TractionSlopes t = tractionOf(block, y, h);
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
    t = tractionOf(block, y, h);
    if (dot(step, step) <= kLawRounding * kLawRounding * (dot(y, y) + dot(free, free))) break;
  }
  return scaled(h, t.value);
}

}  // namespace ricochet
