// Stick of a contact area: the return of a trial wrench to the limit surface (law B) and bristles (law A).

#include "engine/contact/areas/fields/axial_stick.hpp"
#include "engine/contact/areas/fields/bristle.hpp"
#include "engine/contact/areas/fields/exact.hpp"
#include "engine/contact/areas/fields/pade.hpp"
#include "engine/contact/areas/fields/potential.hpp"
#include "engine/contact/areas/fields/wrench_return.hpp"
#include "verification/support/patches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace ricochet::patch {
namespace {

using test::patchShapeNamed;

const PatchMoments kDisc = PatchMoments::forAxisymmetricPatch(2.0 / 3.0, 0.25, 1.0);

struct RandomTrial {
  ElasticBed bed;
  double limit;
  Wrench<double> wrench;
};

/// Limits and stiffnesses over four decades, radii of gyration over three decades, trials near and far
/// outside of the limit, also near pure sliding and pure spin.
template <class K>
RandomTrial randomTrial(const K& kernel, std::mt19937& random, int i) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto decades = [&](double n) { return std::pow(10.0, n * unit(random)); };
  RandomTrial trial;
  trial.bed.stiffness = 1e3 * decades(2.0);
  trial.bed.spinStiffness = trial.bed.stiffness * decades(3.0);
  trial.limit = decades(2.0);
  trial.wrench = {{3.0 * trial.limit * unit(random), 3.0 * trial.limit * unit(random)},
                  3.0 * trial.limit * kernel.spinMoment() * unit(random)};
  if (i % 7 == 0) trial.wrench.moment *= decades(4.0);
  if (i % 11 == 0) trial.wrench.force = scaled(decades(4.0), trial.wrench.force);
  return trial;
}

/// Largest value of f.n - Phi(n) over a grid of directions, relative to the size of the trial: positive
/// outside.
template <class K>
double largestGap(const K& kernel, double gyration, double T, double m) {
  double most = -1e300;
  for (int j = 0; j <= 200; ++j) {
    const double b = 0.5 * std::numbers::pi * j / 200.0;
    const AxialResponse r = kernel.response(std::cos(b), std::sin(b) / gyration);
    most = std::max(most, (T - r.X) * std::cos(b) + (m - r.M / gyration) * std::sin(b));
  }
  return most / (1.0 + T + m);
}

template <class K>
void expectValidReturns(const K& kernel, int count) {
  std::mt19937 random(5);
  int sticks = 0;
  double law = 0.0, balance = 0.0, gap = -1.0;
  for (int i = 0; i < count; ++i) {
    const auto [bed, limit, trial] = randomTrial(kernel, random, i);
    const double gyration = std::sqrt(bed.spinStiffness / bed.stiffness);
    const WrenchReturn back = WrenchMap<K>(kernel, bed).returnWrenchToLimitSurface(trial, limit);
    const double T = std::sqrt(dot(trial.force, trial.force)) / limit;
    const double m = std::abs(trial.moment) / (limit * gyration);
    const double size = 1.0 + T + m;
    if (!back.slips) {
      ++sticks;
      ASSERT_EQ(back.wrench.moment, trial.moment);
      ASSERT_EQ(back.wrench.force.first, trial.force.first);
      if (K::kPotential) gap = std::max(gap, largestGap(kernel, gyration, T, m));
      continue;
    }
    // The wrench is that of the law in the direction of the plastic slip, and f = f* + S p.
    const Wrench<double> w = Axial<K>{kernel}.wrench(back.plastic);
    const Tangential<double> miss = scaled(1.0 / limit, back.wrench.force) - w.force;
    law = std::max(law,
                   std::hypot(miss.first, miss.second, (back.wrench.moment / limit - w.moment) / gyration));
    const Tangential<double> rest =
        trial.force + scaled(bed.stiffness, back.plastic.sliding) - back.wrench.force;
    const double turn = trial.moment + bed.spinStiffness * back.plastic.spin - back.wrench.moment;
    balance = std::max(balance, std::hypot(rest.first, rest.second, turn / gyration) / (limit * size));
    ASSERT_GE(-powerOfFrictionWrench(back.wrench, back.plastic), 0.0);
    ASSERT_LE(back.evaluations, 200);
  }
  // Relative to mu N: rounding of b times the slope of X and M by b, up to R/l = 32 times K = 22 at the rim
  // of a ring.
  EXPECT_LT(law, 2e-13);
  // Relative to mu N and the size of the trial.

  EXPECT_LT(balance, 1e-13);
  EXPECT_LT(gap, 1e-13);
  EXPECT_GT(sticks, count / 100);
}

TEST(WrenchReturn, HundredThousandTrialsOfEachPotential) {
  expectValidReturns(AxialPotential::fromMoments(kDisc), 100000);
  expectValidReturns(UniformDisc{}, 100000);
  expectValidReturns(Ring{}, 100000);
  expectValidReturns(HertzDisc{}, 100000);
  expectValidReturns(PunchDisc{}, 100000);
  expectValidReturns(Annulus{}, 100000);
}

TEST(WrenchReturn, FormsWithoutAPotentialToo) {
  expectValidReturns(PadeKernel::fromMoments(kDisc), 20000);
  expectValidReturns(LinearKernel::fromMoments(kDisc), 20000);
}

TEST(WrenchReturn, TangentIsItsDerivative) {
  const auto check = [](const auto& kernel) {
    std::mt19937 random(6);
    using K = std::decay_t<decltype(kernel)>;
    for (int i = 0; i < 2000; ++i) {
      const auto [bed, limit, trial] = randomTrial(kernel, random, i);
      const WrenchMap<K> map(kernel, bed);
      const double gyration = std::sqrt(bed.spinStiffness / bed.stiffness);
      const WrenchReturn at = map.returnWrenchToLimitSurface(trial, limit);
      const auto tangent = map.tangentMatrix(trial, limit, at);
      const double T = std::sqrt(dot(trial.force, trial.force)) / limit;
      // Differences are taken away from the limit and from the reversal of the force at zero.
      if (!at.slips || at.distance < 1e-3 || T < 1e-2 || std::abs(trial.moment) < 1e-2 * limit * gyration)
        continue;
      for (std::size_t j = 0; j < 4; ++j) {
        const double h = 1e-6 * limit * (j == 2 ? gyration : 1.0);
        std::array<std::array<double, 3>, 2> f{};
        for (std::size_t side = 0; side < 2; ++side) {
          Wrench<double> moved = trial;
          double movedLimit = limit;
          std::array<double*, 4> x{&moved.force.first, &moved.force.second, &moved.moment, &movedLimit};
          *x[j] += side == 0 ? h : -h;
          f[side] = wrenchComponents(map.returnWrenchToLimitSurface(moved, movedLimit).wrench);
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double unit = (k == 2 ? gyration : 1.0) / (j == 2 ? gyration : 1.0);
          const double slope = j < 3 ? tangent.byTrial[k][j] : wrenchComponents(tangent.byLimit)[k];
          EXPECT_NEAR(slope / unit, (f[0][k] - f[1][k]) / (2.0 * h) / unit, 1e-6)
              << i << " " << j << " " << k;
        }
      }
    }
  };
  check(AxialPotential::fromMoments(kDisc));
  check(HertzDisc{});
  check(PadeKernel::fromMoments(kDisc));
}

TEST(WrenchReturn, PureTrialsReturnToThePureLimits) {
  const WrenchMap<UniformDisc> map({}, {100.0, 30.0});
  const WrenchReturn slide = map.returnWrenchToLimitSurface({{30.0, -40.0}, 0.0}, 10.0);
  EXPECT_NEAR(slide.wrench.force.first, 6.0, 1e-14);
  EXPECT_NEAR(slide.wrench.force.second, -8.0, 1e-14);
  EXPECT_EQ(slide.wrench.moment, 0.0);
  EXPECT_NEAR(slide.plastic.sliding.first, -0.24, 1e-15);  // (6 - 30)/100
  const WrenchReturn spin = map.returnWrenchToLimitSurface({{}, -21.0}, 10.0);
  EXPECT_NEAR(spin.wrench.moment, -20.0 / 3.0, 1e-14);
  EXPECT_NEAR(spin.plastic.spin, (21.0 - 20.0 / 3.0) / 30.0, 1e-14);
  const WrenchReturn loose = map.returnWrenchToLimitSurface({{1.0, 2.0}, 3.0}, 0.0);
  EXPECT_TRUE(loose.slips);
  EXPECT_EQ(loose.wrench.moment, 0.0);
}

TEST(WrenchReturn, BreaksAwayOnTheLimitCurve) {
  // V = omega R: uniform disc (8/(3 pi), 8/(9 pi)); a force just inside the limit sticks, a force just
  // outside slips.
  const WrenchMap<UniformDisc> map({}, {1.0, 1.0});
  const Wrench<double> edge{{8.0 / (3.0 * std::numbers::pi), 0.0}, 8.0 / (9.0 * std::numbers::pi)};
  for (const auto& [factor, slips] : {std::pair{1.0 - 1e-10, false}, std::pair{1.0 + 1e-10, true}})
    EXPECT_EQ(map.returnWrenchToLimitSurface({scaled(factor, edge.force), factor * edge.moment}, 1.0).slips,
              slips)
        << factor;
}

TEST(AxialStick, WithoutRadiusItIsTheRadialReturnOfAPoint) {
  const AxialStick<UniformDisc> stick{{1e-9}, {1e4, 1e4 * 0.5e-18}, {0.3, 0.3, 0.0}};
  StickMemory memory;
  Tangential<double> point{};
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    const Twist<double> dq{{3e-4 * normal(random), 3e-4 * normal(random)}, 1e-3 * normal(random)};
    memory = stick.computeTrial(memory, dq, 10.0, 1e-3).next;
    point = point - scaled(1e4, dq.sliding);
    const double size = std::hypot(point.first, point.second);
    if (size > 3.0) point = scaled(3.0 / size, point);
    // The spin changes the force by (omega R/V)^2, about 1e-11 here.
    EXPECT_NEAR(memory.wrench.force.first, point.first, 1e-7);
    EXPECT_NEAR(memory.wrench.force.second, point.second, 1e-7);
    EXPECT_LE(std::abs(memory.wrench.moment), 3e-9);
  }
}

TEST(AxialStick, DoesNotCreep) {
  // Below the limit and held at the limit, the wrench and its springs repeat to the last bit.
  const AxialStick<AxialPotential> stick{
      AxialPotential::fromMoments(kDisc), ElasticBed::fromMoments(1e4, kDisc), {0.3, 0.3, 0.0}};
  StickMemory memory = stick.computeTrial({}, {{1e-5, 0.0}, 2e-5}, 10.0, 1e-3).next;
  const StickMemory start = memory;
  for (int i = 0; i < 100000; ++i) {
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    const StickTrial step = stick.computeTrial(memory, {{sign * 0x1p-14, 0.0}, sign * 0x1p-14}, 10.0, 1e-3);
    ASSERT_EQ(step.dissipated, 0.0);
    memory = step.next;
  }
  EXPECT_NEAR(memory.wrench.force.first, start.wrench.force.first, 1e-12);  // 1e5 sums of numbers below 1
  EXPECT_NEAR(memory.wrench.moment, start.wrench.moment, 1e-12);

  memory = stick.computeTrial(memory, {{1.0, 0.3}, 2.0}, 10.0, 1e-3).next;
  ASSERT_TRUE(memory.slipping);
  const StickMemory edge = memory;
  for (int i = 0; i < 1000; ++i) {
    const StickTrial step = stick.computeTrial(memory, {}, 10.0, 1e-3);
    ASSERT_FALSE(step.next.slipping);
    memory = step.next;
  }
  EXPECT_EQ(memory.wrench.force.first, edge.wrench.force.first);
  EXPECT_EQ(memory.wrench.force.second, edge.wrench.force.second);
  EXPECT_EQ(memory.wrench.moment, edge.wrench.moment);
}

TEST(AxialStick, DropsFromStaticToDynamic) {
  const AxialStick<Ring> stick{{1.0}, {1e3, 1e3}, {0.5, 0.3, 0.0}};
  StickMemory memory = stick.computeTrial({}, {{-4.9e-3, 0.0}, 0.0}, 10.0, 1e-3).next;
  EXPECT_NEAR(memory.wrench.force.first, 4.9, 1e-14);  // in stick: mu_s N = 5 N
  memory = stick.computeTrial(memory, {{-1e-3, 0.0}, 0.0}, 10.0, 1e-3).next;
  EXPECT_TRUE(memory.slipping);
  EXPECT_NEAR(memory.wrench.force.first, 3.0, 1e-14);              // mu_d N
  EXPECT_NEAR(memory.slipSpeed, (5.9 - 3.0) / 1e3 / 1e-3, 1e-12);  // plastic slip over the step
  memory = stick.computeTrial(memory, {{1e-4, 0.0}, 0.0}, 10.0, 1e-3).next;
  EXPECT_FALSE(memory.slipping);

  const FrictionDrop overSpeed{0.5, 0.3, 0.1};
  EXPECT_NEAR(overSpeed.frictionCoefficientInSlip(0.1), 0.3 + 0.2 * std::exp(-1.0), 1e-16);
  EXPECT_EQ(overSpeed.frictionCoefficientOfLimit(false, 7.0), 0.5);
}

TEST(AxialStick, SteadyMotionReproducesTheLaw) {
  const AxialStick<HertzDisc> stick{{1.0}, {1e5, 2e4}, {0.2, 0.2, 0.0}};
  const Twist<double> dq{{6e-3, 8e-3}, -1e-2};
  StickMemory memory;
  for (int i = 0; i < 60; ++i) memory = stick.computeTrial(memory, dq, 5.0, 1e-3).next;
  const Wrench<double> w = Axial<HertzDisc>{{1.0}}.wrench(dq);
  EXPECT_NEAR(memory.wrench.force.first, w.force.first, 1e-13);  // mu N = 1
  EXPECT_NEAR(memory.wrench.force.second, w.force.second, 1e-13);
  EXPECT_NEAR(memory.wrench.moment, w.moment, 1e-13);
  const Axial<HertzDisc> law{{1.0}};
  EXPECT_NEAR(memory.slipSpeed, meanSlipSpeedOfPatch(law, dq) / 1e-3, 1e-9);
}

TEST(AxialStick, WorkIsStoredOrDissipated) {
  const AxialStick<UniformDisc> stick{{0.7}, {1e3, 200.0}, {0.4, 0.3, 0.0}};
  StickMemory memory;
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 4000; ++i) {
    const Twist<double> dq{{1e-3 * normal(random), 1e-3 * normal(random)}, 2e-3 * normal(random)};
    const StickTrial step = stick.computeTrial(memory, dq, 10.0, 1e-3);
    // Work by the mean wrench of an elastic step; the wrench at the end of a slip dissipates at least this
    // work less the drop of the limit.
    EXPECT_GE(step.dissipated, 0.0);
    const double work = -powerOfFrictionWrench(step.wrench, dq);
    const double stored = stick.storedEnergy(step.next) - stick.storedEnergy(memory);
    // For the implicit rule, -f.dq = dE + D + |df|^2/(2 k).
    const Wrench<double> df{step.wrench.force - memory.wrench.force,
                            step.wrench.moment - memory.wrench.moment};
    const double implicitLoss = 0.5 * (dot(df.force, df.force) / stick.bed.stiffness +
                                       df.moment * df.moment / stick.bed.spinStiffness);
    EXPECT_NEAR(work, stored + step.dissipated + implicitLoss, 1e-15 + 1e-13 * std::abs(work));
    memory = step.next;
  }
}

TEST(Bristles, SlideAsTheirPatchAndStickAsSprings) {
  const std::vector<Particle> points = bristlePointsAboutPressureCentre(patchShapeNamed("rect_2x1"), 6, 0);
  std::vector<Tangential<double>> f(points.size()), next(points.size());
  // At one thousandth of the limit F = k du, M = k <r^2> dphi, without dissipation.
  const BristleTrial held = frictionTrialOfBristles(points, 1e4, 10.0, {{1e-6, 0.0}, 1e-6}, f, next);
  EXPECT_NEAR(held.wrench.force.first, -1e-2, 1e-15);
  EXPECT_NEAR(held.wrench.moment, -1e-2 * 5.0 / 12.0, 1e-15);  // <r^2> = (1 + 1/4)/3
  EXPECT_EQ(held.dissipated, 0.0);
  EXPECT_EQ(held.slipping, 0u);

  const Twist<double> q{{1e-3, 4e-4}, 2e-3};
  double dissipated = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const BristleTrial step = frictionTrialOfBristles(points, 1e4, 10.0, q, f, next);
    dissipated = step.dissipated;
    std::swap(f, next);
  }
  const BristlePatch law(points);
  const Wrench<double> w = law.wrench(q);
  const BristleTrial now = frictionTrialOfBristles(points, 1e4, 10.0, q, f, next);
  EXPECT_NEAR(now.wrench.force.first, 10.0 * w.force.first, 1e-11);
  EXPECT_NEAR(now.wrench.force.second, 10.0 * w.force.second, 1e-11);
  EXPECT_NEAR(now.wrench.moment, 10.0 * w.moment, 1e-11);
  EXPECT_NEAR(dissipated, 10.0 * meanSlipSpeedOfPatch(law, q), 1e-12);
  // There is no creep: a held area does not move.
  std::swap(f, next);
  const BristleTrial still = frictionTrialOfBristles(points, 1e4, 10.0, {}, f, next);
  EXPECT_NEAR(still.dissipated, 0.0, 1e-18);
  EXPECT_NEAR(still.wrench.moment, now.wrench.moment, 1e-14);
}

}  // namespace
}  // namespace ricochet::patch
