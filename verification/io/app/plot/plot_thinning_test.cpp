// Thinned curves of a picture: no omitted point is farther than a quarter of a dot from the drawn line.

#include "io/app/plot/plot_thinning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

using testing::ElementsAre;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct Curve2 {
  std::vector<double> x, y;

  void add(double px, double py) {
    x.push_back(px);
    y.push_back(py);
  }
};

/// Distance of point `i` from the line between points `a` and `b` [dots].
double distanceFromLine(const Curve2& curve, const DotScale& scale, std::size_t i, std::size_t a,
                        std::size_t b) {
  const double px = (curve.x[i] - curve.x[a]) * scale.across, py = (curve.y[i] - curve.y[a]) * scale.up;
  const double lx = (curve.x[b] - curve.x[a]) * scale.across, ly = (curve.y[b] - curve.y[a]) * scale.up;
  const double square = lx * lx + ly * ly;
  const double along = square > 0.0 ? std::clamp((px * lx + py * ly) / square, 0.0, 1.0) : 0.0;
  return std::hypot(px - along * lx, py - along * ly);
}

/// The largest distance of an omitted point from the line that replaces it.
double largestOffset(const Curve2& curve, const DotScale& scale, const std::vector<std::size_t>& shown) {
  double largest = 0.0;
  for (std::size_t k = 1; k < shown.size(); ++k)
    for (std::size_t i = shown[k - 1] + 1; i < shown[k]; ++i)
      largest = std::max(largest, distanceFromLine(curve, scale, i, shown[k - 1], shown[k]));
  return largest;
}

/// Paths over a picture of 400 dots, with turns, pauses and reversals of different kinds.
std::vector<Curve2> paths() {
  std::vector<Curve2> all(6);
  std::mt19937 dice(5);
  std::normal_distribution<double> normal;
  double wx = 0.0, wy = 0.0;
  for (int i = 0; i <= 20000; ++i) {
    const double s = i / 20000.0, angle = 2.0 * std::numbers::pi * s;
    all[0].add(200.0 * std::cos(angle), 200.0 * std::sin(angle));
    all[1].add(200.0 * std::sin(3.0 * angle), 120.0 * std::sin(3.0 * angle));  // back and forth on a line
    all[2].add(200.0 * s * std::cos(40.0 * angle), 200.0 * s * std::sin(40.0 * angle));      // a spiral
    all[3].add(200.0 * std::pow(std::cos(angle), 3), 200.0 * std::pow(std::sin(angle), 3));  // cusps
    wx += 0.05 * normal(dice);
    wy += 0.05 * normal(dice);
    all[4].add(wx, wy);                                                       // random walk of small steps
    all[5].add(200.0 * s + 0.06 * normal(dice), std::floor(4.0 * s) * 50.0);  // stairs with noise
  }
  return all;
}

TEST(PlotThinning, NoPointOfAPathIsFartherThanAQuarterOfADot) {
  int index = 0;
  for (const Curve2& path : paths()) {
    const DrawnPieces pieces = thinPath(path.x, path.y, {1.0, 1.0});
    ASSERT_EQ(pieces.size(), 1u);
    const std::vector<std::size_t>& shown = pieces.front();
    EXPECT_EQ(shown.front(), 0u);
    EXPECT_EQ(shown.back(), path.x.size() - 1);
    EXPECT_TRUE(std::ranges::is_sorted(shown));
    EXPECT_LE(largestOffset(path, {1.0, 1.0}, shown), kThinningTolerance * (1.0 + 1e-12)) << "path " << index;
    ++index;
  }
}

/// A chord of the circle whose arc is a quarter of a dot high spans 2 acos(1 - 0.25/200) = 0.1 rad: 63 chords
/// are a full turn. One pass over the points needs at most twice as many.
TEST(PlotThinning, APathIsThinned) {
  const Curve2 circle = paths()[0];
  EXPECT_LT(thinPath(circle.x, circle.y, {1.0, 1.0}).front().size(), 126u);
  const Curve2 line = paths()[1];
  EXPECT_LT(thinPath(line.x, line.y, {1.0, 1.0}).front().size(), 30u);  // six turns
}

/// The picture defines the scale: a path in metres and a path in kilometres are drawn equally.
TEST(PlotThinning, CountsInDotsNotInUnits) {
  const Curve2 circle = paths()[0];
  Curve2 other = circle;
  for (double& x : other.x) x *= 1e-6;
  for (double& y : other.y) y *= 1e5;
  EXPECT_EQ(thinPath(circle.x, circle.y, {1.0, 1.0}), thinPath(other.x, other.y, {1e6, 1e-5}));
  const Extent across{0.0, 4.0, false}, up{-1.0, 1.0, false};
  const DotScale apart = scaleInDots(across, up, 800.0, 200.0, false),
                 alike = scaleInDots(across, up, 800.0, 200.0, true);
  EXPECT_EQ(apart.across, 200.0);
  EXPECT_EQ(apart.up, 100.0);
  EXPECT_EQ(alike.across, 100.0);
  EXPECT_EQ(alike.up, 100.0);
}

/// Two of three rows lie in the first hundredth of the time: the other rows are drawn with the same accuracy.
TEST(PlotThinning, HistoriesKeepTheirExtremesWhereRowsAreSparse) {
  Curve2 history;
  for (int i = 0; i < 20000; ++i) history.add(i * 5e-7, std::sin(1e4 * i * 5e-7));
  for (int i = 0; i < 10000; ++i) history.add(0.01 + i * 9.9e-5, std::sin(300.0 * i * 9.9e-5));
  const DotScale scale{800.0, 225.0};
  const DrawnPieces pieces = thinHistory(history.x, history.y, scale);
  ASSERT_EQ(pieces.size(), 1u);
  const std::vector<std::size_t>& shown = pieces.front();
  EXPECT_EQ(shown.front(), 0u);
  EXPECT_EQ(shown.back(), history.x.size() - 1);
  EXPECT_LT(shown.size(), 4u * 3200u);
  // An omitted row lies between drawn rows of its own column, below one and above another.
  for (std::size_t k = 1; k < shown.size(); ++k)
    for (std::size_t i = shown[k - 1] + 1; i < shown[k]; ++i) {
      double low = 2.0, high = -2.0;
      for (std::size_t j = k >= 4 ? k - 4 : 0; j < std::min(k + 4, shown.size()); ++j) {
        if (std::abs(history.x[shown[j]] - history.x[i]) * scale.across > kThinningTolerance) continue;
        low = std::min(low, history.y[shown[j]]);
        high = std::max(high, history.y[shown[j]]);
      }
      ASSERT_LE(low, history.y[i]) << "row " << i;
      ASSERT_GE(high, history.y[i]) << "row " << i;
    }
}

TEST(PlotThinning, OneRowThatStandsOutIsShown) {
  Curve2 history;
  for (int i = 0; i < 100000; ++i) history.add(i, 0.0);
  history.y[41234] = 7.0;
  history.y[41235] = -3.0;
  const std::vector<std::size_t> shown = thinHistory(history.x, history.y, {0.008, 50.0}).front();
  EXPECT_TRUE(std::ranges::binary_search(shown, 41234u));
  EXPECT_TRUE(std::ranges::binary_search(shown, 41235u));
  EXPECT_LT(shown.size(), 7000u);
}

TEST(PlotThinning, RowsWithoutANumberEndAPiece) {
  const std::vector<double> time{0, 1, 2, 3, 4, 5, 6},
      values{kNotANumber, 1, 2, kNotANumber, kNotANumber, 9, 9};
  EXPECT_THAT(thinHistory(time, values, {1.0, 1.0}),
              ElementsAre(std::vector<std::size_t>{1, 2}, std::vector<std::size_t>{5, 6}));
  EXPECT_THAT(thinPath(values, time, {1.0, 1.0}),
              ElementsAre(std::vector<std::size_t>{1, 2}, std::vector<std::size_t>{5, 6}));
  const std::vector<double> infinite{0, 1, std::numeric_limits<double>::infinity(), 3, 4, 5, 6};
  EXPECT_EQ(thinPath(time, infinite, {1.0, 1.0}).size(), 2u);
  EXPECT_TRUE(thinPath({}, {}, {1.0, 1.0}).empty());
}

TEST(PlotThinning, TheLastOfDotsAtOnePlaceIsSeen) {
  const std::vector<double> x{0.0, 10.0, 0.1, 10.0, 5.0}, y{0.0, 3.0, 0.1, 3.0, 1.0};
  EXPECT_THAT(selectVisibleDots(x, y, {1.0, 1.0}), ElementsAre(2u, 3u, 4u));
  EXPECT_THAT(selectVisibleDots(x, y, {10.0, 10.0}), ElementsAre(0u, 2u, 3u, 4u));
}

}  // namespace
}  // namespace ricochet
