// Properties that every listed normal law must have.

#include "engine/contact/laws/laws.hpp"
#include "verification/support/pack4.hpp"
#include "verification/support/series.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ricochet {
namespace {

using test::Pack4;
using test::TruncatedSeries;
using NormalMotion = NormalKinematics<double>;

constexpr std::array kStates{NormalState::open, NormalState::closed, NormalState::released};

constexpr double kApproach = 2.0;  // speed at which the contact closed [m/s]

template <class L>
class NormalLawTest : public ::testing::Test {
 protected:
  const L law = exampleOfType<L>();

  /// Every combination of deep, slight, zero and positive gap with fast and slow approach and separation; the
  /// imposed force acts in both directions.
  static std::vector<NormalMotion> gridOfNormalMotions() {
    std::vector<NormalMotion> all;
    for (const double gap : {-1e-2, -1e-4, -1e-9, 1e-9, 1e-4, 1e-2})
      for (const double rate : {-1e3, -1.0, -1e-3, 0.0, 1e-3, 1.0, 1e3})
        for (const double imposed : {-10.0, 10.0}) all.push_back({gap, rate, imposed, 0.0, kApproach});
    return all;
  }

  /// Motions that close the contact at s = 0 with increasing penetration.
  static NormalMotion frictionCompression(double s) {
    return L::traits.imposed ? NormalMotion{0.1, 0.0, s, 0.0} : NormalMotion{-s, 0.0, 0.0, 0.0};
  }

  double forceAt(NormalState from, const NormalMotion& k) const {
    return law.template force<double>(nextStateOfNormalLaw(law, from, k), k);
  }
  double lowestGuardOfNormalLaw(NormalState state, const NormalMotion& k) const {
    const NormalGuards<double> guards = law.template guards<double>(state, k);
    return *std::min_element(guards.begin(), guards.end());
  }
  static NormalMotion between(const NormalMotion& a, const NormalMotion& b, double s) {
    const auto blend = [s](double x, double y) { return x + s * (y - x); };
    return {blend(a.gap, b.gap), blend(a.gapRate, b.gapRate), blend(a.imposed, b.imposed), 0.0, kApproach};
  }
};
TYPED_TEST_SUITE(NormalLawTest, test::TypesOf<SteppedNormalLaws>::type, test::KeywordName);

TEST(NormalLaws, HaveDistinctKeywords) { test::expectDistinctKeywords<NormalLaws>(); }

TYPED_TEST(NormalLawTest, MeetsTheContractAndDescribesItself) {
  static_assert(NormalLaw<TypeParam>);
  test::expectSoundFields<TypeParam>();
}

TYPED_TEST(NormalLawTest, NeverPulls) {
  for (const NormalState from : kStates)
    for (const NormalMotion& k : this->gridOfNormalMotions())
      EXPECT_GE(this->forceAt(from, k), 0.0) << "gap " << k.gap << ", rate " << k.gapRate;
}

TYPED_TEST(NormalLawTest, DoesNotPushAtADistance) {
  if (TypeParam::traits.imposed) GTEST_SKIP() << "no geometry opens it";
  for (const NormalState from : kStates)
    for (const NormalMotion& k : this->gridOfNormalMotions())
      if (k.gap > 0.0) {
        EXPECT_EQ(this->forceAt(from, k), 0.0)
            << "from state " << static_cast<int>(from) << ", gap " << k.gap << ", rate " << k.gapRate;
      }
}

TYPED_TEST(NormalLawTest, GuardsAreNotNegativeInTheStateThatHolds) {
  for (const NormalState from : kStates)
    for (const NormalMotion& k : this->gridOfNormalMotions()) {
      const NormalState state = nextStateOfNormalLaw(this->law, from, k);
      EXPECT_GE(this->lowestGuardOfNormalLaw(state, k), 0.0)
          << "from state " << static_cast<int>(from) << " to " << static_cast<int>(state) << ", gap " << k.gap
          << ", rate " << k.gapRate;
    }
}

TYPED_TEST(NormalLawTest, TransitionAtARootOfAGuardLeadsToAStateThatHolds) {
  for (const NormalState state : kStates)
    for (const NormalMotion& inside : this->gridOfNormalMotions())
      for (const NormalMotion& outside : this->gridOfNormalMotions()) {
        if (this->lowestGuardOfNormalLaw(state, inside) <= 0.0 ||
            this->lowestGuardOfNormalLaw(state, outside) >= 0.0)
          continue;
        if (nextStateOfNormalLaw(this->law, NormalState::open, inside) != state &&
            state != NormalState::released)
          continue;
        double before = 0.0, after = 1.0;
        for (int i = 0; i < 60; ++i) {
          const double middle = 0.5 * (before + after);
          (this->lowestGuardOfNormalLaw(state, this->between(inside, outside, middle)) >= 0.0 ? before
                                                                                              : after) =
              middle;
        }
        const NormalMotion k = this->between(inside, outside, after);
        if ((outside.gap - inside.gap) * k.gapRate < 0.0) continue;  // no motion leads to this transition
        const auto guards = this->law.template guards<double>(state, k);
        const auto broken = static_cast<std::size_t>(
            std::find_if(guards.begin(), guards.end(), [](double g) { return g < 0.0; }) - guards.begin());
        const NormalState next = this->law.stateAfterTransition(state, broken);
        ASSERT_NE(next, state);
        // `after` lies less than 2^-60 of the path beyond the root. Guards of the new state must not be below
        // the rounding error, 16 eps of the largest term (forces of k g + c g' up to 2e4 N).
        EXPECT_GE(this->lowestGuardOfNormalLaw(next, k), -16.0 * 2.3e-16 * 2e4)
            << "from state " << static_cast<int>(state) << " to " << static_cast<int>(next) << ", gap "
            << k.gap << ", rate " << k.gapRate << ", imposed " << k.imposed;
      }
}

TYPED_TEST(NormalLawTest, ForceGrowsFromZeroWhenClosingWithoutRate) {
  // N(s) of a law grows at least linearly in s: N(1e-7 s) <= 1e-7 N(s), within rounding.
  constexpr double s = 1e-3;
  const double large = this->forceAt(NormalState::open, this->frictionCompression(s));
  const double small = this->forceAt(NormalState::open, this->frictionCompression(1e-7 * s));
  EXPECT_GT(large, 0.0);
  EXPECT_GT(small, 0.0);
  EXPECT_LE(small, 1e-7 * large * (1.0 + 1e-12));
}

TYPED_TEST(NormalLawTest, StoresTheWorkOfItsElasticForce) {
  // dU/dg = -N at rest. The central difference over 1e-6 of the gap has the truncation error U'''/6 d^2 (0
  // for a square) and the rounding error eps U/d = 2e-16 * 1e-4 / 1e-6 * ... < 1e-9 of N.
  if (TypeParam::traits.imposed) {
    EXPECT_EQ(this->law.template storedEnergy<double>(NormalState::closed, NormalMotion{-1.0, 0.0, 5.0}),
              0.0);
    return;
  }
  const auto energy = [this](double gap) {
    return this->law.template storedEnergy<double>(NormalState::closed, NormalMotion{gap, 0.0, 0.0});
  };
  for (const double gap : {-1e-2, -1e-3, -1e-5}) {
    const double d = 1e-6 * -gap;
    const double slope = (energy(gap + d) - energy(gap - d)) / (2.0 * d);
    const double force = this->law.template force<double>(NormalState::closed, NormalMotion{gap, 0.0, 0.0});
    EXPECT_NEAR(slope, -force, 1e-8 * force) << "gap " << gap;
  }
}

TYPED_TEST(NormalLawTest, StoresNothingWhenOpen) {
  for (const NormalMotion& k : this->gridOfNormalMotions())
    EXPECT_EQ(this->law.template storedEnergy<double>(NormalState::open, k), 0.0) << "gap " << k.gap;
}

TYPED_TEST(NormalLawTest, LanesAreTheScalarForcesBitForBit) {
  const NormalKinematics<Pack4> k{
      {-1e-2, -1e-4, -1e-9, 1e-3}, {0.5, -2.0, 0.0, 1.0}, {1.0, 2.0, 3.0, 4.0}, {}, kApproach};
  for (const NormalState state : kStates) {
    const Pack4 force = this->law.template force<Pack4>(state, k);
    const Pack4 stored = this->law.template storedEnergy<Pack4>(state, k);
    const auto guards = this->law.template guards<Pack4>(state, k);
    for (std::size_t i = 0; i < Pack4::kSize; ++i) {
      const NormalMotion lane{k.gap[i], k.gapRate[i], k.imposed[i], 0.0, kApproach};
      EXPECT_EQ(force[i], this->law.template force<double>(state, lane));
      EXPECT_EQ(stored[i], this->law.template storedEnergy<double>(state, lane));
      for (std::size_t g = 0; g < kNormalGuards; ++g)
        EXPECT_EQ(guards[g][i], this->law.template guards<double>(state, lane)[g]) << "guard " << g;
    }
  }
}

TYPED_TEST(NormalLawTest, SeriesOfTheForceHasItsRateAsSlope) {
  // Along g = g0 + v t, g' = v + w t, imposed = p + r t the force is smooth: the error of the central
  // difference is below 1e-8 of the slope (rounding eps F / (d slope) ~ 1e-9, truncation 0 for a linear law).
  const double g0 = -1e-3, v = -0.2, w = 3.0, p = 50.0, r = -700.0;
  const NormalKinematics<TruncatedSeries> k{{g0, v}, {v, w}, {p, r}, {}, TruncatedSeries(kApproach)};
  const auto at = [&](double t) {
    return this->law.template force<double>(NormalState::closed,
                                            NormalMotion{g0 + v * t, v + w * t, p + r * t, 0.0, kApproach});
  };
  constexpr double d = 1e-7;
  const double slope = (at(d) - at(-d)) / (2.0 * d);
  const TruncatedSeries force = this->law.template force<TruncatedSeries>(NormalState::closed, k);
  EXPECT_EQ(force[0], at(0.0));
  EXPECT_NEAR(force[1], slope, 1e-6 * std::abs(slope));
}

TYPED_TEST(NormalLawTest, StiffnessForStepLimitsBoundsTheSlopeOfTheForce) {
  if (this->law.contactStiffness() == 0.0 && !TypeParam::traits.imposed)
    GTEST_SKIP() << "stiffens without bound: the reader asks for a step";
  for (const double gap : {-1e-2, -1e-3, -1e-5}) {
    const auto force = [this](double g) {
      return this->law.template force<double>(NormalState::closed, NormalMotion{g, 0.0, 5.0});
    };
    const double d = 1e-4 * -gap;
    const double slope = (force(gap - d) - force(gap + d)) / (2.0 * d);
    EXPECT_LE(slope, this->law.contactStiffness() * (1.0 + 1e-9)) << "gap " << gap;
  }
}

TYPED_TEST(NormalLawTest, SaysWhetherItNeedsTheGapRate) {
  if (this->law.doesForceDependOnGapRate()) return;
  for (const NormalMotion& k : this->gridOfNormalMotions()) {
    const NormalMotion still{k.gap, 0.0, k.imposed, 0.0, kApproach};
    EXPECT_EQ(this->forceAt(NormalState::open, k), this->forceAt(NormalState::open, still));
  }
}

}  // namespace
}  // namespace ricochet
