#include "io/quantities/batch/history_statistic.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace ricochet {
namespace {

const ExpressionNames kNames{{"shoe"}, {"sole"}};
const ContactSet kNoContacts;

void addEnd(HistoryStatistic& statistic, double time, double number) {
  statistic.addEnd(time, std::span(&number, 1));
}

/// Ends of steps of unequal length on a parabola: its peak lies before the third.
TEST(HistoryStatistic, PeakBetweenEndsOfStepsIsThatOfTheirParabola) {
  const HistoryExpression history = parseHistory("displacement(shoe, ux)", kNames);
  for (const double sign : {1.0, -1.0}) {
    HistoryStatistic statistic(history, *reductionNamed("max"), kNoContacts);
    statistic.start();
    const auto x = [&](double t) { return sign * (3.0 - (t - 0.4) * (t - 0.4)); };
    for (const double t : {-0.5, 0.0, 0.7, 1.0, 1.5}) addEnd(statistic, t, x(t));
    const double highest = sign > 0.0 ? 3.0 : x(1.5), lowest = sign > 0.0 ? x(1.5) : -3.0;
    EXPECT_NEAR(statistic.value(*reductionNamed("max")), highest, 1e-14);
    EXPECT_NEAR(statistic.value(*reductionNamed("min")), lowest, 1e-14);
    EXPECT_NEAR(statistic.value(*reductionNamed("peak_to_peak")), highest - lowest, 1e-14);
  }
}

/// The force of a dashpot jumps where its contact closes, and friction falls where a stick breaks: the values
/// are the extremes, whatever their step.
TEST(HistoryStatistic, TakesNoParabolaOverAJump) {
  const HistoryExpression history = parseHistory("normal_force(sole)", kNames);
  const auto extremesOf = [&](std::initializer_list<double> values) {
    HistoryStatistic statistic(history, *reductionNamed("max"), kNoContacts);
    statistic.start();
    double time = 0.0;
    for (const double value : values) addEnd(statistic, time += 1e-5, value);
    return std::pair(statistic.value(*reductionNamed("max")), statistic.value(*reductionNamed("min")));
  };
  EXPECT_EQ(extremesOf({0.0, 0.0, 600.0, 599.0, 597.9, 596.7}), std::pair(600.0, 0.0));
  EXPECT_EQ(extremesOf({0.0, 600.0, 599.0, 0.0, 0.0}), std::pair(600.0, 0.0));
  EXPECT_EQ(extremesOf({29.4, 29.7, 30.0, 20.0, 20.1, 20.2}), std::pair(30.0, 20.0));
}

}  // namespace
}  // namespace ricochet
