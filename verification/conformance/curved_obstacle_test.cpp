// Properties that every listed curved obstacle must have.

#include "engine/contact/followed.hpp"
#include "engine/contact/obstacles/curved.hpp"
#include "engine/numerics/dual.hpp"
#include "engine/numerics/series.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace ricochet {
namespace {

using Place = Local<double>;

double lengthOf(const Place& a) { return std::sqrt(innerProduct(a, a)); }

Place displacedPlace(const Place& x, double by, const Place& along) {
  return {x[0] + by * along[0], x[1] + by * along[1], x[2] + by * along[2]};
}

template <class O>
class CurvedObstacleTest : public ::testing::Test {
 protected:
  const O obstacle = exampleOfType<O>();

  /// Positions of the size of the example obstacle, inside and outside.
  static std::vector<Place> places() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> at(-0.02, 0.02);
    std::vector<Place> all;
    for (int i = 0; i < 400; ++i) all.push_back({at(random), at(random), at(random)});
    return all;
  }
  double gap(const Place& x) const { return obstacle.gapAndNormal(x).gap; }
};
TYPED_TEST_SUITE(CurvedObstacleTest, test::TypesOf<CurvedObstacles>::type, test::KeywordName);

TEST(CurvedObstacles, HaveDistinctKeywords) { test::expectDistinctKeywords<CurvedObstacles>(); }

TYPED_TEST(CurvedObstacleTest, MeetsTheContractAndDescribesItself) {
  static_assert(CurvedObstacle<TypeParam>);
  test::expectSoundFields<TypeParam>();
}

TYPED_TEST(CurvedObstacleTest, NormalIsAUnitVector) {
  for (const Place& x : this->places())
    EXPECT_NEAR(lengthOf(this->obstacle.gapAndNormal(x).normal), 1.0, 4e-16);
}

TYPED_TEST(CurvedObstacleTest, NormalIsTheGradientOfTheGap) {
  // Central differences over d = 1e-7 m: truncation d^2/r^2 < 1e-8 at more than 1 mm from a centre, rounding
  // 1e-18/1e-7. The gradient jumps where the nearest side of a profile changes within d, so a few positions
  // may differ.
  constexpr double d = 1e-7;
  int beside = 0;
  for (const Place& x : this->places()) {
    if (std::hypot(x[0], x[1]) < 1e-3) continue;
    const Place normal = this->obstacle.gapAndNormal(x).normal;
    for (std::size_t i = 0; i < 3; ++i) {
      Place unit{};
      unit[i] = 1.0;
      const double slope =
          (this->gap(displacedPlace(x, d, unit)) - this->gap(displacedPlace(x, -d, unit))) / (2.0 * d);
      if (std::abs(slope - normal[i]) > 1e-7) ++beside;
    }
  }
  EXPECT_LE(beside, 1);
}

TYPED_TEST(CurvedObstacleTest, GapChangesByNoMoreThanThePlaceMoves) {
  const std::vector<Place> all = this->places();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Place way{all[i][0] - all[i - 1][0], all[i][1] - all[i - 1][1], all[i][2] - all[i - 1][2]};
    EXPECT_LE(std::abs(this->gap(all[i]) - this->gap(all[i - 1])), lengthOf(way) * (1.0 + 1e-14));
  }
}

TYPED_TEST(CurvedObstacleTest, NormalPointsOutOfTheMatter) {
  int inside = 0;
  for (const Place& x : this->places()) {
    const Touch<double> touch = this->obstacle.gapAndNormal(x);
    if (touch.gap >= 0.0) continue;
    ++inside;
    EXPECT_NEAR(this->gap(displacedPlace(x, -touch.gap, touch.normal)), 0.0, 1e-17);
  }
  EXPECT_GT(inside, 20);
  EXPECT_LT(inside, 380);
}

TYPED_TEST(CurvedObstacleTest, TheThirdCoordinateCountsOnlyOutOfPlane) {
  for (const Place& x : this->places())
    EXPECT_EQ(this->gap(x) == this->gap({x[0], x[1], x[2] + 0.1}), TypeParam::traits.inPlane);
}

TYPED_TEST(CurvedObstacleTest, SeriesAndDualsHaveTheValuesAndSlopes) {
  const Place v{0.3, -0.2, 0.5};
  for (const Place& x : this->places()) {
    if (std::hypot(x[0], x[1]) < 1e-3) continue;
    const Touch<double> touch = this->obstacle.gapAndNormal(x);
    Local<Dual<3>> duals;
    SeriesTape tape(2);
    Local<Series> series;
    for (std::size_t i = 0; i < 3; ++i) {
      duals[i] = Dual<3>(x[i], i);
      series[i] = tape.recordInput(std::array{x[i], v[i]});
    }
    const auto byDual = this->obstacle.gapAndNormal(duals);
    const auto bySeries = this->obstacle.gapAndNormal(series);
    tape.computeSeriesOrders(1, 2);
    EXPECT_EQ(byDual.gap.value(), touch.gap);
    EXPECT_EQ(bySeries.gap.value(), touch.gap);
    EXPECT_NEAR(bySeries.gap.coefficient(1), innerProduct(touch.normal, v), 1e-14);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(byDual.gap.slope(i), touch.normal[i], 1e-14);
  }
}

// The contact set must reproduce the gap and normal of the obstacle.

TYPED_TEST(CurvedObstacleTest, TangentsAreOrthonormalAndRightHanded) {
  const AnyObstacle any = Curved{this->obstacle};
  for (const Place& x : this->places()) {
    const auto frame =
        contactFrameAtNormal<double>(tangentKind(any), this->obstacle.gapAndNormal(x).normal, nullptr);
    // A projection divides the rounding error by its length, which is at least 0.03 here.
    constexpr double rounding = 1e-14;
    EXPECT_NEAR(innerProduct(frame.normal, frame.first), 0.0, rounding);
    EXPECT_NEAR(innerProduct(frame.normal, frame.second), 0.0, rounding);
    EXPECT_NEAR(innerProduct(frame.first, frame.second), 0.0, rounding);
    const Place& n = frame.normal;
    const Place& t = frame.first;
    const Place cross{n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
    EXPECT_NEAR(innerProduct(cross, frame.second), 1.0, rounding);
  }
}

TEST(FollowedFrames, CoverArcsExactlyAboutAnAxis) {
  // A step of 0.1 rad: the series of asin(u)/u up to u^6 has the error u^8 105/3456 ~ 1e-12.
  const AnyObstacle any = Curved{Circle{.clearance = 1.0}};
  const double r = 1.003;
  ContactFrame<double> frame;
  Place place{};
  double way = 0.0;
  for (int i = 0; i <= 63; ++i) {
    const Place x{r * std::cos(0.1 * i), r * std::sin(0.1 * i), 0.01 * i};
    const auto next = contactFrameAtNormal<double>(tangentKind(any), gapAndNormalOf(any, x).normal,
                                                   i == 0 ? nullptr : &frame);
    if (i > 0) {
      const Tangential<double> covers = slipPathAlongSurface(tangentKind(any), frame, place, next, x);
      way += covers.first;
      EXPECT_NEAR(covers.second, 0.01, 1e-15);
    }
    frame = next;
    place = x;
  }
  EXPECT_NEAR(way, -r * 6.3, 1e-10);  // tangent 1 is e3 x normal, and the normal points to the axis
}

TEST(FollowedFrames, TurnByTheSolidAngleOnASphere) {
  // parallel transport once around a parallel circle at the polar angle b turns a tangent by the solid angle
  // 2 pi (1 - cos b); steps of h err by h^2
  const double b = 0.7;
  const auto turnOf = [&](int steps) {
    ContactFrame<double> first, frame;
    for (int i = 0; i <= steps; ++i) {
      const double phi = 2.0 * std::numbers::pi * i / steps;
      const Place n{std::sin(b) * std::cos(phi), std::sin(b) * std::sin(phi), std::cos(b)};
      frame = contactFrameAtNormal<double>(TangentKind::turning, n, i == 0 ? nullptr : &frame);
      if (i == 0) first = frame;
    }
    return std::atan2(innerProduct(frame.first, first.second), innerProduct(frame.first, first.first));
  };
  const double exact = 2.0 * std::numbers::pi * (1.0 - std::cos(b));
  const double coarse = std::abs(turnOf(400) - exact), fine = std::abs(turnOf(800) - exact);
  EXPECT_LT(fine, 2e-5);
  EXPECT_NEAR(coarse / fine, 4.0, 0.1);
}

TEST(ProfileLine, RefusesWhatIsNotAClosedLine) {
  const auto make = [](std::vector<double> angles, std::vector<double> radii) {
    return ProfileLine(std::move(angles), std::move(radii));
  };
  EXPECT_THROW(make({0.0, 2.0}, {1.0, 1.0}), std::invalid_argument);
  EXPECT_THROW(make({0.0, 2.0, 1.0}, {1.0, 1.0, 1.0}), std::invalid_argument);
  EXPECT_THROW(make({0.0, 1.0, 2.0}, {1.0, 1.0, 1.0}), std::invalid_argument);  // half a turn and more
  EXPECT_THROW(make({0.0, 2.0, 4.0}, {1.0, 0.0, 1.0}), std::invalid_argument);
  EXPECT_NO_THROW(make({0.0, 2.0, 4.0}, {1.0, 2.0, 1.0}));
}

}  // namespace
}  // namespace ricochet
