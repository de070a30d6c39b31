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
      [&]<class Law>(const Law& law) -> ForceSlope {
        if constexpr (Law::traits.imposed) return {std::max(0.0, block.imposed), 0.0};
        using Real = Dual<1>;
        const Real y(rate, 0);
        const auto guardsAt = [&](double gap) {
          return law.template guards<double>(NormalState::closed, {gap, rate, block.imposed, {}, {}});
        };
        // guards of a linear law are linear over the step: closed from `begin` to `end`, fractions of it
        const NormalGuards<double> first = guardsAt(block.gap), last = guardsAt(block.gap + h * rate);
        Real begin(0.0), end(1.0);
        for (std::size_t i = 0; i < kNormalGuards; ++i) {
          if (first[i] < 0.0 && last[i] < 0.0) return {0.0, 0.0};
          if (first[i] >= 0.0 && last[i] >= 0.0) continue;
          const auto guardAt = [&](double theta) {
            return law.template guards<Real>(NormalState::closed,
                                             {block.gap + (theta * h) * y, y, block.imposed, {}, {}})[i];
          };
          const Real before = guardAt(0.0);
          const Real crossing = before / (before - guardAt(1.0));
          if (first[i] < 0.0 && crossing > begin) begin = crossing;
          if (last[i] < 0.0 && crossing < end) end = crossing;
        }
        if (!(begin < end)) return {0.0, 0.0};
        const Real middle = block.gap + (0.5 * h) * ((begin + end) * y);
        const Real force =
            (end - begin) * law.template force<Real>(NormalState::closed, {middle, y, block.imposed, {}, {}});
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
          k.position = {block.position.first + 0.5 * h * k.slipRate.first,
                        block.position.second + 0.5 * h * k.slipRate.second};
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
