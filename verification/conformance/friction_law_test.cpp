// Properties that every listed friction law must have.

#include "engine/contact/laws/laws.hpp"
#include "verification/support/pack4.hpp"
#include "verification/support/series.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

namespace ricochet {
namespace {

using test::Pack4;
using test::TruncatedSeries;
using Kinematics = FrictionKinematics<double>;
using Memory = FrictionMemory<double>;
using Trial = FrictionTrial<double>;
using Pair = Tangential<double>;

double size(const Pair& a) { return std::sqrt(dot(a, a)); }

/// The law without the dashpot of its stick, so that the response is rate independent.
template <class L>
L withoutDashpot(L law) {
  if constexpr (requires { law.damping; }) law.damping = 0.0;
  return law;
}

/// A random walk of the contact point under a varying normal force, with many changes between stick and slip.
std::vector<Kinematics> randomWalk(unsigned seed, double h = 1e-3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> change(-1.0, 1.0);
  std::vector<Kinematics> path;
  Kinematics k{.position = {}, .slipRate = {}, .compression = 100.0, .compressionRate = 0.0};
  Pair drift{};
  for (int i = 0; i < 400; ++i) {
    if (i % 20 == 0) drift = {4e-5 * change(random), 4e-5 * change(random)};
    const Pair move = drift + Pair{2e-5 * change(random), 2e-5 * change(random)};
    k.position = k.position + move;
    k.slipRate = scaled(1.0 / h, move);
    const double before = k.compression;
    k.compression = std::max(0.0, before + 10.0 * change(random));
    k.compressionRate = (k.compression - before) / h;
    k.elapsed = h;
    path.push_back(k);
  }
  return path;
}

template <class L>
class FrictionLawTest : public ::testing::Test {
 protected:
  const L law = exampleOfType<L>();

  static Trial trialOf(const L& law, const Kinematics& k, const Memory& memory) {
    return law.template computeTrial<double>(k, memory);
  }
  /// Limits mu_s N and mu_d N; a law without coefficients must give no traction.
  double staticLimit(double compression) const {
    if constexpr (requires { law.muStatic; }) return law.muStatic * compression;
    return 0.0;
  }
  double dynamicLimit(double compression) const {
    return staticLimit(compression) - law.tractionDropAtBreakaway(compression);
  }
};
TYPED_TEST_SUITE(FrictionLawTest, test::TypesOf<SteppedFrictionLaws>::type, test::KeywordName);

TEST(FrictionLaws, HaveDistinctKeywords) { test::expectDistinctKeywords<FrictionLaws>(); }

TYPED_TEST(FrictionLawTest, MeetsTheContractAndDescribesItself) {
  static_assert(SteppedFrictionLaw<TypeParam>);
  test::expectSoundFields<TypeParam>();
}

TYPED_TEST(FrictionLawTest, StaysInsideItsCone) {
  constexpr double rounding = 1.0 + 8 * 2.3e-16;  // a unit vector times mu N
  Memory memory;
  int slips = 0;
  for (const Kinematics& k : randomWalk(1)) {
    const Trial trial = this->trialOf(this->law, k, memory);
    const bool slipping = trial.next.slipping;
    const double limit = slipping ? this->dynamicLimit(k.compression) : this->staticLimit(k.compression);
    EXPECT_LE(size(trial.traction), limit * rounding)
        << (slipping ? "slip" : "stick") << " under " << k.compression;
    memory = trial.next;
    slips += slipping ? 1 : 0;
  }
  if (TypeParam::traits.traction) {
    EXPECT_GT(slips, 50);
    EXPECT_LT(slips, 350) << "the walk must stick now and then";
  }
}

TYPED_TEST(FrictionLawTest, SlidesAtTheDynamicLimitAgainstTheMotion) {
  // Ten steps of 1 mm in one direction, far beyond the elastic slip: the traction is -mu_d N along this
  // direction.
  const Pair along{0.6, -0.8};
  Memory memory;
  for (int i = 1; i <= 10; ++i) {
    const Kinematics k{scaled(1e-3 * i, along), scaled(1.0, along), 100.0, 0.0};
    const Trial trial = this->trialOf(this->law, k, memory);
    memory = trial.next;
    const double limit = this->dynamicLimit(100.0);
    EXPECT_NEAR(dot(trial.traction, along), -limit, 1e-12 * limit);
    EXPECT_NEAR(size(trial.traction), limit, 1e-12 * limit);
    EXPECT_EQ(trial.next.slipping, TypeParam::traits.traction);
  }
}

TYPED_TEST(FrictionLawTest, SticksAgainWhenTheMotionTurnsBack) {
  if (!TypeParam::traits.traction) GTEST_SKIP() << "no traction";
  const TypeParam elastic = withoutDashpot(this->law);
  Memory memory = this->trialOf(elastic, {{1.0, 0.0}, {1.0, 0.0}, 100.0, 0.0}, {}).next;
  ASSERT_TRUE(memory.slipping);
  // The point moves back by a thousandth of the elastic slip.
  const double back = 1e-3 * this->dynamicLimit(100.0) / elastic.contactStiffness();
  const Trial trial = this->trialOf(elastic, {{1.0 - back, 0.0}, {-1.0, 0.0}, 100.0, 0.0}, memory);
  EXPECT_FALSE(trial.next.slipping);
  EXPECT_NEAR(trial.traction.first, -0.999 * this->dynamicLimit(100.0), 1e-9);
}

/// The elastic force changes from mu_d N in one direction to more than mu_d N in the other direction within a
/// step: the slip has stopped, and mu_s limits the stick.
TYPED_TEST(FrictionLawTest, SticksByTheStaticLimitWhereItTurnsWithinAStep) {
  if (!TypeParam::traits.traction) GTEST_SKIP() << "no traction";
  const TypeParam elastic = withoutDashpot(this->law);
  const Memory memory = this->trialOf(elastic, {{1.0, 0.0}, {1.0, 0.0}, 100.0, 0.0}, {}).next;
  const double between = 0.5 * (this->dynamicLimit(100.0) + this->staticLimit(100.0));
  ASSERT_LT(between, this->staticLimit(100.0));
  const auto backTo = [&](double traction) {
    const double back = (this->dynamicLimit(100.0) + traction) / elastic.contactStiffness();
    return this->trialOf(elastic, {{1.0 - back, 0.0}, {-1.0, 0.0}, 100.0, 0.0}, memory);
  };
  EXPECT_FALSE(backTo(between).next.slipping);
  EXPECT_NEAR(backTo(between).traction.first, between, 1e-9);
  EXPECT_TRUE(backTo(1.01 * this->staticLimit(100.0)).next.slipping);
}

TEST(FrictionLaws, OfCoefficientsThatAreZeroBearNoTraction) {
  FrictionLaws::forEach([]<class L>() {
    L law = exampleOfType<L>();
    EXPECT_EQ(law.bearsTraction(), L::traits.traction) << L::keyword;
    if constexpr (requires { law.muStatic; }) law.muStatic = law.muDynamic = 0.0;
    if constexpr (requires { law.table; })
      law.table = std::make_shared<const SpeedTable>(SpeedTable{{0.0, 1.0}, {0.0, 0.0}});
    EXPECT_FALSE(law.bearsTraction()) << L::keyword;
  });
}

TYPED_TEST(FrictionLawTest, DropsFromStaticToDynamicExactlyAtTheStaticLimit) {
  if (!TypeParam::traits.traction) GTEST_SKIP() << "no traction";
  const TypeParam elastic = withoutDashpot(this->law);
  const double reach = this->staticLimit(100.0) / elastic.contactStiffness();
  const Trial below = this->trialOf(elastic, {{0.0, reach * (1.0 - 1e-12)}, {0.0, 1.0}, 100.0, 0.0}, {});
  EXPECT_FALSE(below.next.slipping);
  EXPECT_NEAR(-below.traction.second, this->staticLimit(100.0), 1e-9);
  const Trial above = this->trialOf(elastic, {{0.0, reach * (1.0 + 1e-12)}, {0.0, 1.0}, 100.0, 0.0}, {});
  EXPECT_TRUE(above.next.slipping);
  EXPECT_NEAR(-above.traction.second, this->dynamicLimit(100.0), 1e-12);
  EXPECT_NEAR(elastic.tractionDropAtBreakaway(100.0), this->staticLimit(100.0) - this->dynamicLimit(100.0),
              1e-12);
  // During slip the dynamic limit applies: a spring force between the two limits continues the slip.
  Memory slipping = above.next;
  const Trial on = this->trialOf(elastic, {{0.0, reach * 1.001}, {0.0, 1.0}, 100.0, 0.0}, slipping);
  EXPECT_TRUE(on.next.slipping);
}

TYPED_TEST(FrictionLawTest, DoesNotDependOnTheAxes) {
  // Rotating the inputs by an angle rotates the outputs, up to the rounding of a rotation over 400 steps.
  const double c = 0.8, s = 0.6;
  const auto turned = [&](const Pair& a) {
    return Pair{c * a.first - s * a.second, s * a.first + c * a.second};
  };
  Memory memory, turnedMemory;
  for (const Kinematics& k : randomWalk(2)) {
    const Trial trial = this->trialOf(this->law, k, memory);
    Kinematics other = k;
    other.position = turned(k.position);
    other.slipRate = turned(k.slipRate);
    const Trial turnedTrial = this->trialOf(this->law, other, turnedMemory);
    EXPECT_LE(size(turnedTrial.traction - turned(trial.traction)), 1e-9);
    EXPECT_EQ(turnedTrial.next.slipping, trial.next.slipping);
    memory = trial.next;
    turnedMemory = turnedTrial.next;
  }
}

TYPED_TEST(FrictionLawTest, DoesNotDependOnTheUnits) {
  // Units that are powers of two cause no rounding: forces times 2^20 and lengths times 2^-7 give the same
  // bits.
  const double force = 0x1p20, length = 0x1p-7, time = 0x1p3;
  TypeParam other = this->law;
  for (const auto& field : TypeParam::numericParameters()) {
    if (field.unit == "N/m") other.*field.member *= force / length;
    if (field.unit == "N s/m") other.*field.member *= force * time / length;
  }
  Memory memory, otherMemory;
  for (const Kinematics& k : randomWalk(3)) {
    const Trial trial = this->trialOf(this->law, k, memory);
    const Kinematics scaledKinematics{scaled(length, k.position),
                                      scaled(length / time, k.slipRate),
                                      force * k.compression,
                                      force / time * k.compressionRate,
                                      {},
                                      time * k.elapsed};
    const Trial otherTrial = this->trialOf(other, scaledKinematics, otherMemory);
    EXPECT_EQ(otherTrial.traction.first, force * trial.traction.first);
    EXPECT_EQ(otherTrial.traction.second, force * trial.traction.second);
    EXPECT_EQ(otherTrial.next.slipping, trial.next.slipping);
    memory = trial.next;
    otherMemory = otherTrial.next;
  }
}

TYPED_TEST(FrictionLawTest, NeverGivesEnergy) {
  // The work supplied less the stored energy, with the traction at the end of each step, is not negative in
  // any step, because the return to a convex set shortens the trial. Rounding: eps |T| |ds| ~ 1e-18 J.
  const TypeParam elastic = withoutDashpot(this->law);
  for (const unsigned seed : {4U, 5U, 6U}) {
    Memory memory;
    Kinematics last{};
    double stored = 0.0, dissipated = 0.0;
    for (const Kinematics& k : randomWalk(seed)) {
      const Trial trial = this->trialOf(elastic, k, memory);
      const double after = elastic.template storedEnergy<double>(k, trial.next);
      const double lost = -dot(trial.traction, k.position - last.position) - (after - stored);
      EXPECT_GE(lost, -1e-15);
      dissipated += lost;
      memory = trial.next;
      stored = after;
      last = k;
    }
    EXPECT_EQ(dissipated > 0.0, TypeParam::traits.traction);
  }
}

TYPED_TEST(FrictionLawTest, IsElasticInSmallCycles) {
  // Within the cone and without a dashpot, a closed path returns all energy: traction and energy return to
  // zero.
  const TypeParam elastic = withoutDashpot(this->law);
  Memory memory;
  for (const Pair& at : {Pair{1e-5, 0.0}, Pair{1e-5, 1e-5}, Pair{-1e-5, 1e-5}, Pair{0.0, 0.0}}) {
    const Kinematics k{at, {}, 100.0, 0.0};
    const Trial trial = this->trialOf(elastic, k, memory);
    EXPECT_FALSE(trial.next.slipping);
    memory = trial.next;
    if (at.first == 0.0) {
      EXPECT_EQ(size(trial.traction), 0.0);
      EXPECT_EQ(elastic.template storedEnergy<double>(k, memory), 0.0);
    }
  }
}

TYPED_TEST(FrictionLawTest, TrialLeavesTheMemoryUntouchedAndRepeats) {
  const Kinematics gentle{{1e-5, 0.0}, {0.01, 0.0}, 100.0, 0.0};
  const Memory memory = this->trialOf(this->law, {{1e-2, -3e-3}, {1.0, 0.0}, 50.0, 0.0}, {}).next;
  const Trial first = this->trialOf(this->law, gentle, memory);
  for (const Kinematics& wild : randomWalk(7)) this->trialOf(this->law, wild, memory);
  const Trial again = this->trialOf(this->law, gentle, memory);
  EXPECT_EQ(first.traction.first, again.traction.first);
  EXPECT_EQ(first.traction.second, again.traction.second);
  EXPECT_EQ(first.next.slipping, again.next.slipping);
}

TYPED_TEST(FrictionLawTest, AutomatonAgreesWithTheReturnMapping) {
  // In stick, both forms give the same force and a positive guard. At breakaway, the guard is negative and
  // the memory at the start of slip gives the same force.
  const TypeParam elastic = withoutDashpot(this->law);
  Memory memory;
  for (const Kinematics& k : randomWalk(8)) {
    const Trial trial = this->trialOf(elastic, k, memory);
    if (TypeParam::traits.traction && !memory.slipping) {
      const double guard = elastic.template guard<double>(FrictionState::stick, k, memory);
      EXPECT_EQ(guard < 0.0, trial.next.slipping);
      const auto state = trial.next.slipping ? FrictionState::slip : FrictionState::stick;
      const Memory held = trial.next.slipping ? elastic.template frictionMemoryAtStateStart<double>(
                                                    FrictionState::slip, k, memory)
                                              : memory;
      const Pair force = elastic.template force<double>(state, k, held);
      EXPECT_LE(size(force - trial.traction), 1e-12);
    }
    memory = trial.next;
  }
}

TYPED_TEST(FrictionLawTest, ForceIsContinuousWhereSlipEnds) {
  // At the start of stick the spring is anchored with the traction of the slip; with a dashpot, with the
  // traction T* = T at which the slider stops.
  for (const double rate : {0.0, 0.25}) {
    const Kinematics k{{0.3, -0.1}, {0.5 * rate, rate}, 80.0, 0.0};
    Memory sliding;
    sliding.direction = {-0.6, 0.8};
    sliding.slipping = true;
    const Pair before = this->law.template force<double>(FrictionState::slip, k, sliding);
    sliding.anchorForce = before + scaled(this->law.contactDamping(), k.slipRate);
    sliding.anchorPosition = k.position;
    const Memory stuck =
        this->law.template frictionMemoryAtStateStart<double>(FrictionState::stick, k, sliding);
    const Pair after = this->law.template force<double>(FrictionState::stick, k, stuck);
    const double rounding = rate == 0.0 ? 0.0 : 1e-14;  // rounding of T + c s' - c s'
    EXPECT_NEAR(before.first, after.first, rounding);
    EXPECT_NEAR(before.second, after.second, rounding);
  }
}

TYPED_TEST(FrictionLawTest, LanesAreTheScalarTrialsBitForBit) {
  // Four random walks in four lanes: the lanes stick and slip at different instants.
  std::vector<std::vector<Kinematics>> walks;
  std::vector<Memory> memories(Pack4::kSize);
  for (unsigned lane = 0; lane < Pack4::kSize; ++lane) walks.push_back(randomWalk(20 + lane));
  FrictionMemory<Pack4> packed;
  for (std::size_t n = 0; n < walks[0].size(); ++n) {
    FrictionKinematics<Pack4> k;
    for (std::size_t i = 0; i < Pack4::kSize; ++i) {
      k.position.first[i] = walks[i][n].position.first;
      k.position.second[i] = walks[i][n].position.second;
      k.slipRate.first[i] = walks[i][n].slipRate.first;
      k.slipRate.second[i] = walks[i][n].slipRate.second;
      k.compression[i] = walks[i][n].compression;
      k.compressionRate[i] = walks[i][n].compressionRate;
      k.elapsed = walks[i][n].elapsed;
    }
    const FrictionTrial<Pack4> trial = this->law.template computeTrial<Pack4>(k, packed);
    packed = trial.next;
    for (std::size_t i = 0; i < Pack4::kSize; ++i) {
      const Trial lane = this->trialOf(this->law, walks[i][n], memories[i]);
      memories[i] = lane.next;
      ASSERT_EQ(trial.traction.first[i], lane.traction.first) << "lane " << i << ", step " << n;
      ASSERT_EQ(trial.traction.second[i], lane.traction.second) << "lane " << i << ", step " << n;
      ASSERT_EQ(trial.next.slipping[i], lane.next.slipping) << "lane " << i << ", step " << n;
    }
  }
}

TYPED_TEST(FrictionLawTest, SeriesOfTheTractionHasItsRateAsSlope) {
  // s = s0 + v t, N = N0 + r t from a memory in stick, then from a memory in slip; the trial is smooth in
  // both states. Central difference over d = 1e-7: truncation d^2 T''' and rounding eps T / d, both below
  // 1e-6 of the slope.
  const double v1 = 0.02, v2 = -0.03, n0 = 100.0, r = 300.0;
  for (const double reach : {1e-5, 1e-2}) {
    const auto at = [&](double t) {
      return this->trialOf(this->law, {{reach + v1 * t, v2 * t}, {v1, v2}, n0 + r * t, r}, {});
    };
    const FrictionKinematics<TruncatedSeries> k{
        {{reach, v1}, {0.0, v2}}, {TruncatedSeries(v1), TruncatedSeries(v2)}, {n0, r}, TruncatedSeries(r)};
    const FrictionTrial<TruncatedSeries> series =
        this->law.template computeTrial<TruncatedSeries>(k, FrictionMemory<TruncatedSeries>{});
    constexpr double d = 1e-7;
    const Pair slope = scaled(0.5 / d, at(d).traction - at(-d).traction);
    EXPECT_EQ(series.traction.first[0], at(0.0).traction.first);
    EXPECT_NEAR(series.traction.first[1], slope.first, 1e-6 * (size(slope) + 1e-9)) << "reach " << reach;
    EXPECT_NEAR(series.traction.second[1], slope.second, 1e-6 * (size(slope) + 1e-9)) << "reach " << reach;
  }
}

}  // namespace
}  // namespace ricochet
