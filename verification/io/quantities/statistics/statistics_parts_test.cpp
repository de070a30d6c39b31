// Parts of the statistics of contacts: histograms, pieces of a run.

#include "io/quantities/statistics/histogram.hpp"
#include "io/quantities/statistics/impact_tracker.hpp"
#include "io/quantities/statistics/piece_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

namespace ricochet {
namespace {

std::vector<double> weightsOf(const Histogram& histogram, std::size_t window = 0) {
  const auto weights = histogram.weightsOfBins(window);
  return {weights.begin(), weights.end()};
}

TEST(Histogram, FindsItsRangeWhateverTheOrder) {
  std::vector<double> values{0.0, 1e-3, 0.3, 7.9, 2.0, 4.0, 0.02, 6.5, 1.99};
  const auto of = [&] {
    Histogram histogram(16, 1, false, {});
    for (const double x : values) histogram.addWeight(0, x, 1.0);
    return histogram;
  };
  const Histogram expected = of();
  EXPECT_EQ(expected.lowestValueOfRange(), 0.0);
  EXPECT_EQ(expected.highestValueOfRange(), 8.0);  // bins of 1/2
  EXPECT_EQ(weightsOf(expected), (std::vector<double>{4, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1}));
  std::mt19937 dice(3);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(values.begin(), values.end(), dice);
    EXPECT_EQ(weightsOf(of()), weightsOf(expected));
  }
}

TEST(Histogram, WithASignMergesAroundZero) {
  Histogram histogram(8, 2, true, {});
  for (const double x : {-0.1, 0.0, 0.1, -3.9, 3.9, 1.0}) histogram.addWeight(1, x, 2.0);
  EXPECT_EQ(histogram.lowestValueOfRange(), -4.0);
  EXPECT_EQ(histogram.highestValueOfRange(), 4.0);
  EXPECT_EQ(weightsOf(histogram, 1), (std::vector<double>{2, 0, 0, 2, 4, 2, 0, 2}));
  EXPECT_EQ(weightsOf(histogram, 0), std::vector<double>(8, 0.0));
}

TEST(Histogram, OfAGivenRangeCountsWhatIsOutside) {
  Histogram histogram(4, 1, false, std::array{1.0, 3.0});
  for (const double x : {0.9, 1.0, 1.6, 3.0, 3.1, 50.0}) histogram.addWeight(0, x, 1.0);
  EXPECT_EQ(weightsOf(histogram), (std::vector<double>{1, 1, 0, 1}));
  EXPECT_EQ(histogram.timeBelowRange(0), 1.0);
  EXPECT_EQ(histogram.timeAboveRange(0), 2.0);
  EXPECT_EQ(histogram.highestValueOfRange(), 3.0);
}

TEST(Histogram, SpreadsTimeEvenlyBetweenTwoValues) {
  Histogram given(4, 1, false, std::array{0.0, 4.0});
  given.distributeWeight(0, 4.5, -0.5, 10.0);  // 2 s per unit
  EXPECT_EQ(weightsOf(given), (std::vector<double>{2, 2, 2, 2}));
  EXPECT_NEAR(given.timeBelowRange(0), 1.0, 1e-15);
  EXPECT_NEAR(given.timeAboveRange(0), 1.0, 1e-15);
  Histogram found(8, 1, true, {});
  found.distributeWeight(0, 0.0, 0.0, 1.0);
  found.distributeWeight(0, -0.25, 0.5, 3.0);
  found.distributeWeight(0, 1.5, 1.5, 2.0);
  EXPECT_EQ(found.highestValueOfRange(), 2.0);
  EXPECT_EQ(weightsOf(found), (std::vector<double>{0, 0, 0, 1, 3, 0, 0, 2}));
}

TEST(PieceGrid, IsExactForItsPolynomials) {
  for (const auto& [kind, degree] : {std::pair{PieceGrid::Kind::series, 13}, {PieceGrid::Kind::step, 1}}) {
    const PieceGrid grid(kind);
    const auto f = [n = degree](double x) { return std::pow(x - 0.3, n) + x; };
    std::vector<double> samples;
    for (const double part : grid.parts()) samples.insert(samples.end(), {f(part), 1.0});
    std::vector<double> at(2), cells(2 * (grid.cellCount() + 1)), points(2 * grid.quadraturePointCount());
    for (const double part : {0.0, 0.123, 0.5, 0.9, 1.0}) {
      grid.interpolateToPart(samples, part, at);
      EXPECT_NEAR(at[0], f(part), 2e-14);
      EXPECT_NEAR(at[1], 1.0, 1e-14);
    }
    grid.interpolateToCells(samples, 2, cells);
    EXPECT_NEAR(cells[2 * grid.cellCount()], f(1.0), 2e-14);
    grid.interpolateToPoints(samples, 2, points);
    double sum = 0.0, square = 0.0;
    for (std::size_t i = 0; i < grid.quadraturePointCount(); ++i) {
      sum += grid.quadratureWeight(i) * points[2 * i];
      square += grid.quadratureWeight(i) * points[2 * i] * points[2 * i];
    }
    const auto primitive = [n = degree](double x) {
      return std::pow(x - 0.3, n + 1) / (n + 1) + 0.5 * x * x;
    };
    EXPECT_NEAR(sum, primitive(1.0) - primitive(0.0), 1e-15);
    const auto ofSquare = [n = degree](double x) {
      const double y = x - 0.3;
      return std::pow(y, 2 * n + 1) / (2 * n + 1) + 2.0 * std::pow(y, n + 2) / (n + 2) +
             0.6 * std::pow(y, n + 1) / (n + 1) + x * x * x / 3.0;
    };
    EXPECT_NEAR(square, ofSquare(1.0) - ofSquare(0.0), 2e-15) << degree;
  }
}

struct Told {
  std::vector<Impact> single, global;
  void addImpact(const Impact& each) { single.push_back(each); }
  void addGlobalImpact(const Impact& each) { global.push_back(each); }
};

TEST(ImpactTracker, JoinsImpactsThatHardlyRest) {
  Told told;
  ImpactTracker tracker(0.1);
  tracker.beginTrackedImpact(1.0, 3.0, told);
  tracker.recordImpulseAndPeakForce(0.5, 20.0);
  tracker.recordImpulseAndPeakForce(0.25, 10.0);
  tracker.endTrackedImpact(1.5, told);
  tracker.beginTrackedImpact(1.59, 1.0, told);
  tracker.recordImpulseAndPeakForce(0.125, 30.0);
  tracker.endTrackedImpact(1.7, told);
  EXPECT_TRUE(told.global.empty()) << "another may follow";
  tracker.beginTrackedImpact(1.9, 2.0, told);
  ASSERT_EQ(told.global.size(), 1U);
  EXPECT_EQ(told.global[0].start, 1.0);
  EXPECT_EQ(told.global[0].end, 1.7);
  EXPECT_EQ(told.global[0].velocity, 3.0);
  EXPECT_EQ(told.global[0].impulse, 0.875);
  EXPECT_EQ(told.global[0].peak, 30.0);
  EXPECT_EQ(told.global[0].rebounds, 1.0);
  tracker.finishAtTime(2.0, told);
  ASSERT_EQ(told.single.size(), 3U);
  EXPECT_EQ(told.single[2].duration(), 2.0 - 1.9);
  ASSERT_EQ(told.global.size(), 2U);
  EXPECT_EQ(told.global[1].rebounds, 0.0);
}

}  // namespace
}  // namespace ricochet
