#include "engine/event/series/resolved_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace ricochet {
namespace {

TEST(EstimatedLog2, HasItsError) {
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    EXPECT_NEAR(estimatedBinaryLogarithm(x), std::log2(x), kErrorOfEstimatedLog2) << x;
  EXPECT_EQ(estimatedBinaryLogarithm(0.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(estimatedBinaryLogarithm(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(estimatedBinaryLogarithm(std::numeric_limits<double>::denorm_min()), -1074.0);
}

/// Coefficients a^k: term j allows the step tol^(1/(k - j))/a, so that the first terms allow the longest and
/// the last but one of the terms decides.
TEST(StepResolvingSeries, IsThatOfAGeometricSeries) {
  constexpr double kTolerance = 1e-12;
  for (const int order : {6, 12, 24})
    for (const double a : {1e-3, 1.0, 700.0}) {
      const auto size = [a](std::size_t k) { return std::pow(a, static_cast<double>(k)); };
      const double expected = std::pow(kTolerance, 1.0 / (order - 1)) / a;
      EXPECT_NEAR(longestStepResolvingSeries(order, kTolerance, size, size), expected, 1e-12 * expected);
    }
}

/// Where the fourth of the first terms is the largest by far, it decides; a series that ends has no limit.
TEST(StepResolvingSeries, ComparesWithTheTermThatAllowsMost) {
  constexpr int kOrder = 10;
  const auto size = [](std::size_t k) { return k == 3 ? 1e20 : 1.0; };
  EXPECT_NEAR(longestStepResolvingSeries(kOrder, 1e-12, size, size), std::pow(1e8, 1.0 / 7.0), 1e-12 * 14.0);
  const auto ends = [](std::size_t k) { return k < 5 ? 1.0 : 0.0; };
  EXPECT_EQ(longestStepResolvingSeries(kOrder, 1e-12, ends, ends), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ricochet
