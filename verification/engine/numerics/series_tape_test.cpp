// The tape of series: parts of it that are computed again, and operations that need no place on it.

#include "engine/numerics/series.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace ricochet {
namespace {

TEST(SeriesTape, RecomputesWhatDependsOnAnInput) {
  constexpr int kOrder = 3;
  SeriesTape tape(kOrder);
  const Series t = tape.recordInput(std::array{0.5, 1.0});
  const Series fed = tape.recordInputByOrder(0.25);
  const Series square = t * t;
  const Series sum = square + fed;
  const Series product = cos(fed) * square;
  std::vector<int> places;
  const std::array inputs{fed};
  tape.listNodesDependingOn(inputs, places);
  EXPECT_EQ(places.size(), 4U);  // the sum, sine and cosine, the product
  for (int k = 1; k <= kOrder; ++k) {
    tape.setCoefficient(fed, k, -1.0);
    tape.recomputeOrder(k);
    tape.setCoefficient(fed, k, k == 1 ? 2.0 : 0.0);  // fed = 0.25 + 2 t
    tape.recomputeOrder(k, places);
  }
  // cos(0.25 + 2 t) (0.5 + t)^2 at t = 0: value and first derivative
  EXPECT_DOUBLE_EQ(sum.coefficient(1), 3.0);
  EXPECT_DOUBLE_EQ(sum.coefficient(2), 1.0);
  EXPECT_DOUBLE_EQ(product.coefficient(1), std::cos(0.25) - 0.5 * std::sin(0.25));
  EXPECT_NEAR(product.coefficient(2), std::cos(0.25) - 2.0 * std::sin(0.25) - 0.5 * std::cos(0.25), 1e-15);
  tape.setCoefficient(fed, 0, 1.0);
  tape.recomputeOrder(0, places);
  EXPECT_DOUBLE_EQ(sum.value(), 1.25);
  EXPECT_DOUBLE_EQ(product.value(), 0.25 * std::cos(1.0));
}

TEST(SeriesTape, RecomputesWhatASeriesNeeds) {
  SeriesTape tape(2);
  const Series fed = tape.recordInputByOrder(0.25);
  const Series rate = 2.0 * sin(fed);
  const Series force = exp(rate) * fed;
  std::vector<int> places;
  const std::array targets{rate};
  tape.listNodesThatDetermine(targets, places);
  EXPECT_EQ(places.size(), 3U);  // sine and cosine, the rate
  tape.setCoefficient(fed, 1, 3.0);
  tape.recomputeOrder(1);
  const double before = force.coefficient(1);
  tape.setCoefficient(fed, 1, 1.0);
  tape.recomputeOrder(1, places);
  EXPECT_DOUBLE_EQ(rate.coefficient(1), 2.0 * std::cos(0.25));
  EXPECT_EQ(force.coefficient(1), before);
}

TEST(SeriesTape, HasNoPlaceForProductsWithZeroAndOne) {
  SeriesTape tape(2);
  const Series t = tape.recordInput(std::array{0.5, 1.0});
  EXPECT_TRUE((0.0 * t).isConstant());
  EXPECT_EQ((0.0 * t).value(), 0.0);
  const Series along = 1.0 * t + 0.0 * (t * t);
  std::vector<int> places;
  const std::array targets{along};
  tape.listNodesThatDetermine(targets, places);
  EXPECT_TRUE(places.empty());
  EXPECT_EQ(along.coefficient(1), 1.0);
}

}  // namespace
}  // namespace ricochet
