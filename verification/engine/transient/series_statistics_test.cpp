#include "engine/transient/series_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

/// Power series of offset + amplitude cos(t + phase) about t = 0, up to t^24.
std::vector<double> seriesOfCosine(double offset, double amplitude, double phase) {
  std::vector<double> p;
  double factorial = 1.0;
  for (int k = 0; k < 25; ++k) {
    p.push_back(amplitude * std::cos(phase + 0.5 * std::numbers::pi * k) / factorial);
    factorial *= k + 1.0;
  }
  p[0] += offset;
  return p;
}

constexpr double kStep = 2.5;

/// A cosine of each of the amplitudes for 30 steps, about a mean value. The record is the highest and the
/// lowest value of all.
ValueRange recordOf(SeriesStatistics& statistics, const std::vector<double>& amplitudes, double mean) {
  statistics.startRecords();
  for (const double amplitude : amplitudes)
    for (int step = 0; step < 30; ++step)
      statistics.addPolynomialPieceOfChannel(0, seriesOfCosine(mean, amplitude, kStep * step), kStep);
  statistics.finish();
  return statistics.range(0);
}

/// 75 rad of each cosine hold its highest and its lowest value, whichever order the amplitudes have: most
/// steps have no extreme that counts, and several have one that a later step makes superfluous.
TEST(SeriesStatistics, FindsTheExtremesOfAllSteps) {
  SeriesStatistics statistics(
      {{.row = {}, .ofDisplacement = true, .offset = 0.0, .highest = true, .lowest = true}});
  for (const std::vector<double>& amplitudes :
       {std::vector{1.0, 2.0, 3.0}, std::vector{3.0, 2.0, 1.0}, std::vector{1.0, 3.0, 2.999, 3.0}}) {
    const ValueRange range = recordOf(statistics, amplitudes, 0.25);
    EXPECT_NEAR(range.highest, 3.25, 1e-13);
    EXPECT_NEAR(range.lowest, -2.75, 1e-13);
  }
}

/// A record starts again with every run.
TEST(SeriesStatistics, ForgetsTheRunBefore) {
  SeriesStatistics statistics({{.row = {}, .ofDisplacement = true, .offset = 0.0, .highest = true}});
  EXPECT_NEAR(recordOf(statistics, {3.0}, 0.0).highest, 3.0, 1e-13);
  EXPECT_NEAR(recordOf(statistics, {0.5}, 0.0).highest, 0.5, 1e-13);
}

/// Of a cosine about a mean value, the lowest value is the largest in size if the mean is negative.
TEST(SeriesStatistics, FindsTheLargestSize) {
  SeriesStatistics statistics(
      {{.row = {}, .ofDisplacement = true, .offset = 0.0, .highest = true, .lowest = true, .ofSize = true}});
  for (const double mean : {-0.5, 0.0, 0.5}) {
    const ValueRange range = recordOf(statistics, {1.0, 2.0, 1.5}, mean);
    EXPECT_NEAR(std::max(range.highest, -range.lowest), 2.0 + std::abs(mean), 1e-13) << mean;
  }
}

/// The last step alone has the extreme, inside it: 1 + t (1 - t) is 1.25 at 0.5.
TEST(SeriesStatistics, FindsAnExtremeInTheLastStep) {
  SeriesStatistics statistics({{.row = {}, .ofDisplacement = true, .offset = 0.0, .highest = true}});
  statistics.startRecords();
  statistics.addPolynomialPieceOfChannel(0, std::vector{0.0, 1.0}, 1.0);
  statistics.addPolynomialPieceOfChannel(0, std::vector{1.0, 1.0, -1.0}, 1.0);
  statistics.finish();
  EXPECT_NEAR(statistics.range(0).highest, 1.25, 1e-15);
}

}  // namespace
}  // namespace ricochet
