// Reactions of contacts at rest that depend on each other.

#include "engine/contact/impulse/resting_reactions.hpp"

#include "physical/dense_solvers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace ricochet {
namespace {

constexpr double kMargin = 2e-3;  // which the reactions keep to the cones, relative to the largest

TEST(RestingReactions, WallsThatFaceEachOtherCanBeUnderSelfStress) {
  // A mass of 1 between two walls with friction: N and T of the lower wall, then of the upper one. Pressed
  // down by 10 N and pushed by 6 N, it rests only if the walls press it together.
  const std::array contacts{RestingContact{.normal = 0, .tangent = {1, -1}, .coefficient = 0.3},
                            RestingContact{.normal = 2, .tangent = {3, -1}, .coefficient = 0.3}};
  Matrix effects(2, 4);
  effects << 0.0, 1.0, 0.0, 1.0,  //
      1.0, 0.0, -1.0, 0.0;
  const Vector least{{5.0, -3.0, -5.0, -3.0}};
  const auto shift =
      findRestingReactions(effects.transpose() * effects, least, Vector::Zero(4), contacts, 1.0);
  ASSERT_TRUE(shift);
  EXPECT_TRUE(shift->isSelfStress);
  const Vector reaction = least + shift->start;
  EXPECT_NEAR(reaction[0] - reaction[2], 10.0, 1e-12);
  EXPECT_LE(std::abs(reaction[1]), 0.3 * reaction[0]);
  EXPECT_LE(std::abs(reaction[3]), 0.3 * reaction[2]);
}

TEST(RestingReactions, AnIdleWallThatFacesAnotherChangesNothing) {
  // The same mass, pushed by 2 N: the lower wall holds it alone, and the upper one bears nothing.
  const std::array contacts{RestingContact{.normal = 0, .tangent = {1, -1}, .coefficient = 0.3},
                            RestingContact{.normal = 2, .tangent = {3, -1}, .coefficient = 0.3}};
  Matrix effects(2, 4);
  effects << 0.0, 1.0, 0.0, 1.0,  //
      1.0, 0.0, -1.0, 0.0;
  const Vector least{{5.0, -1.0, -5.0, -1.0}}, rate{{0.0, -0.5, 0.0, -0.5}};  // 2 N + 1 N/s
  const auto shift = findRestingReactions(effects.transpose() * effects, least, rate, contacts, 3.0);
  ASSERT_TRUE(shift);
  EXPECT_FALSE(shift->isSelfStress);
  EXPECT_EQ(shift->leftOut, std::vector<std::size_t>{1});
  const Vector reaction = least + shift->start;
  EXPECT_NEAR(reaction[0], 10.0, 1e-6);
  EXPECT_NEAR(reaction[1], -2.0, 1e-6);
  EXPECT_NEAR(reaction[2], 0.0, 1e-12);
}

TEST(RestingReactions, FeetOnAFloorTakeTheLeastNormWithinTheirCones) {
  // Two feet, pressed by 5 N each, hold 2.6 N together. Both would hold 1.3 N; the second can hold 1 N.
  const std::array contacts{
      RestingContact{.compression = {5.0, 0.0}, .tangent = {0, -1}, .coefficient = 0.4},
      RestingContact{.compression = {5.0, 0.0}, .tangent = {1, -1}, .coefficient = 0.2}};
  const Matrix compliance = Matrix::Ones(2, 2);
  const Vector least{{1.3, 1.3}};
  const auto shift = findRestingReactions(compliance, least, Vector::Zero(2), contacts, 1.0);
  ASSERT_TRUE(shift);
  EXPECT_FALSE(shift->isSelfStress);
  EXPECT_NEAR(least[0] + shift->start[0], 1.6, 5.0 * kMargin);
  EXPECT_NEAR(least[1] + shift->start[1], 1.0, 5.0 * kMargin);
  EXPECT_LT(least[1] + shift->start[1], 1.0);
  EXPECT_EQ(shift->rate.cwiseAbs().maxCoeff(), 0.0);
}

TEST(RestingReactions, HoldAGrowingLoadUntilAllConesAreReached) {
  // The same feet under 2.6 N + 1 N/s: both cones are reached at 3 N, after 0.4 s.
  const std::array contacts{
      RestingContact{.compression = {5.0, 0.0}, .tangent = {0, -1}, .coefficient = 0.4},
      RestingContact{.compression = {5.0, 0.0}, .tangent = {1, -1}, .coefficient = 0.2}};
  const Matrix compliance = Matrix::Ones(2, 2);
  const Vector least{{1.3, 1.3}}, rate{{0.5, 0.5}};
  const auto shift = findRestingReactions(compliance, least, rate, contacts, 1.0);
  ASSERT_TRUE(shift);
  const Vector last = least + shift->start + 0.4 * (rate + shift->rate);
  EXPECT_NEAR(last[0], 2.0, 1e-8);
  EXPECT_NEAR(last[1], 1.0, 1e-8);
}

}  // namespace
}  // namespace ricochet
