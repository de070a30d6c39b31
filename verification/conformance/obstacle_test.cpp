// Properties that every listed obstacle must have.

#include "engine/contact/obstacles/obstacles.hpp"
#include "verification/support/pack4.hpp"
#include "verification/support/series.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ricochet {
namespace {

using test::Pack4;
using test::TruncatedSeries;

template <class O>
class ObstacleTest : public ::testing::Test {
 protected:
  const O obstacle = exampleOfType<O>();
  /// Positions on both sides of every example, none of them on an edge where the normal jumps [m].
  const std::vector<double> positions{-3.0, -0.11, -0.0123, -1e-4, 1e-4, 0.0077, 0.0999, 0.1001, 2.0};
};
TYPED_TEST_SUITE(ObstacleTest, test::TypesOf<Obstacles>::type, test::KeywordName);

TEST(Obstacles, HaveDistinctKeywords) { test::expectDistinctKeywords<Obstacles>(); }

TYPED_TEST(ObstacleTest, MeetsTheContractAndDescribesItself) {
  static_assert(Obstacle<TypeParam>);
  test::expectSoundFields<TypeParam>();
}

TYPED_TEST(ObstacleTest, NormalIsTheGradientOfTheGap) {
  // Away from its edges the gap is linear, so that only rounding remains: 2 eps |x| / (2 d) < 1e-9.
  constexpr double d = 1e-6;
  for (const double x : this->positions) {
    const double gradient = (this->obstacle.gap(x + d) - this->obstacle.gap(x - d)) / (2.0 * d);
    EXPECT_NEAR(gradient, this->obstacle.normalSign(x), 1e-9) << "x = " << x;
  }
}

TYPED_TEST(ObstacleTest, NormalIsAUnitVector) {
  for (const double x : this->positions)
    EXPECT_EQ(std::abs(this->obstacle.normalSign(x)), 1.0) << "x = " << x;
}

TYPED_TEST(ObstacleTest, HasRoomAndMatterWhenItHasAGap) {
  if (!TypeParam::traits.hasGap) GTEST_SKIP() << "always closed";
  bool free = false, inside = false;
  for (const double x : this->positions) {
    free = free || this->obstacle.gap(x) > 0.0;
    inside = inside || this->obstacle.gap(x) < 0.0;
  }
  EXPECT_TRUE(free);
  EXPECT_TRUE(inside);
}

TYPED_TEST(ObstacleTest, NormalPointsOutOfTheMatter) {
  // From a penetrating position, a motion by the penetration along the normal reaches the surface: the gap is
  // zero within rounding.
  for (const double x : this->positions) {
    const double gap = this->obstacle.gap(x);
    if (!TypeParam::traits.hasGap || gap >= 0.0) continue;
    EXPECT_NEAR(this->obstacle.gap(x - gap * this->obstacle.normalSign(x)), 0.0, 1e-15) << "x = " << x;
  }
}

TYPED_TEST(ObstacleTest, FreeIntervalIsWhereTheGapIsOpen) {
  const FreeInterval free = this->obstacle.contactFreeInterval();
  for (const double x : this->positions)
    EXPECT_EQ(free.contains(x), TypeParam::traits.hasGap && this->obstacle.gap(x) > 0.0) << "x = " << x;
}

TYPED_TEST(ObstacleTest, LanesAreTheScalarResultsBitForBit) {
  const Pack4 x(-0.0123, -1e-4, 0.0077, 2.0);
  const Pack4 gap = this->obstacle.gap(x);
  const Pack4 side = this->obstacle.normalSign(x);
  for (std::size_t i = 0; i < Pack4::kSize; ++i) {
    EXPECT_EQ(gap[i], this->obstacle.gap(x[i])) << "lane " << i;
    EXPECT_EQ(side[i], this->obstacle.normalSign(x[i])) << "lane " << i;
  }
}

TYPED_TEST(ObstacleTest, SeriesOfTheGapHasTheNormalRateAsSlope) {
  for (const double x : this->positions) {
    const TruncatedSeries gap = this->obstacle.gap(TruncatedSeries(x, 0.25));
    EXPECT_EQ(gap[0], this->obstacle.gap(x));
    EXPECT_EQ(gap[1], 0.25 * this->obstacle.normalSign(x)) << "x = " << x;
  }
}

}  // namespace
}  // namespace ricochet
