#include "io/quantities/batch/history_statistic.hpp"

#include <gtest/gtest.h>

namespace ricochet {
namespace {

const ExpressionNames kNames{{"shoe"}, {"sole"}};

/// Three ends of steps of unequal length on a parabola: its peak lies before the one in the middle.
TEST(HistoryStatistic, PeakBetweenEndsOfStepsIsThatOfTheirParabola) {
  const HistoryExpression history = parseHistory("displacement(shoe, ux)", kNames);
  for (const double sign : {1.0, -1.0}) {
    HistoryStatistic statistic(history, *reductionNamed("max"));
    statistic.start();
    const auto x = [&](double t) { return sign * (3.0 - (t - 0.4) * (t - 0.4)); };
    for (const double t : {0.0, 0.7, 1.0}) statistic.addEndValue(t, x(t));
    const double highest = sign > 0.0 ? 3.0 : x(1.0), lowest = sign > 0.0 ? x(1.0) : -3.0;
    EXPECT_NEAR(statistic.value(*reductionNamed("max")), highest, 1e-14);
    EXPECT_NEAR(statistic.value(*reductionNamed("min")), lowest, 1e-14);
    EXPECT_NEAR(statistic.value(*reductionNamed("peak_to_peak")), highest - lowest, 1e-14);
  }
}

}  // namespace
}  // namespace ricochet
