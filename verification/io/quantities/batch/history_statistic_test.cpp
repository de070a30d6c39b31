#include "io/quantities/batch/history_statistic.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace ricochet {
namespace {

const ExpressionNames kNames{{"shoe"}, {"sole"}};
const ContactSet kNoContacts;

void addStartOfStep(HistoryStatistic& statistic, double time, double number) {
  statistic.addBeginOfStep(time, std::span(&number, 1));
}
void addEndOfStep(HistoryStatistic& statistic, double time, double number) {
  statistic.addStepEnd(time, std::span(&number, 1));
}

/// Ends of steps of unequal length on a parabola, whose maximum lies before the third.
TEST(HistoryStatistic, PeakBetweenEndsOfStepsIsThatOfTheirParabola) {
  const HistoryExpression history = parseHistoryExpression("displacement(shoe, ux)", kNames);
  for (const double sign : {1.0, -1.0}) {
    HistoryStatistic statistic(history, *findReduction("max"), kNoContacts);
    statistic.start();
    const auto x = [&](double t) { return sign * (3.0 - (t - 0.4) * (t - 0.4)); };
    addStartOfStep(statistic, -0.5, x(-0.5));
    for (const double t : {0.0, 0.7, 1.0, 1.5}) addEndOfStep(statistic, t, x(t));
    const double highest = sign > 0.0 ? 3.0 : x(1.5), lowest = sign > 0.0 ? x(1.5) : -3.0;
    EXPECT_NEAR(statistic.valueOfReduction(*findReduction("max")), highest, 1e-14);
    EXPECT_NEAR(statistic.valueOfReduction(*findReduction("min")), lowest, 1e-14);
    EXPECT_NEAR(statistic.valueOfReduction(*findReduction("peak_to_peak")), highest - lowest, 1e-14);
  }
}

/// The force of a dashpot jumps where its contact closes, and friction drops at a breakaway: the extremes of
/// such a history are its values, without interpolation.
TEST(HistoryStatistic, TakesNoParabolaOverAJump) {
  const HistoryExpression history = parseHistoryExpression("normal_force(sole)", kNames);
  const auto extremesOf = [&](std::initializer_list<double> values) {
    HistoryStatistic statistic(history, *findReduction("max"), kNoContacts);
    statistic.start();
    double time = 0.0;
    addStartOfStep(statistic, time, *values.begin());
    for (const double value : values) addEndOfStep(statistic, time += 1e-5, value);
    return std::pair(statistic.valueOfReduction(*findReduction("max")),
                     statistic.valueOfReduction(*findReduction("min")));
  };
  EXPECT_EQ(extremesOf({0.0, 0.0, 600.0, 599.0, 597.9, 596.7}), std::pair(600.0, 0.0));
  EXPECT_EQ(extremesOf({0.0, 600.0, 599.0, 0.0, 0.0}), std::pair(600.0, 0.0));
  EXPECT_EQ(extremesOf({29.4, 29.7, 30.0, 20.0, 20.1, 20.2}), std::pair(30.0, 20.0));
}

/// Steps of 0.5 of a force that jumps from 4 to 1 at t = 1: the value before the jump belongs to windows that
/// end there, the value after it to windows that begin there.
TEST(HistoryStatistic, TakesBothValuesOfAJump) {
  const HistoryExpression history = parseHistoryExpression("normal_force(sole)", kNames);
  const auto valueOf = [&](std::string_view reduction, HistoryStatistic::Window window) {
    HistoryStatistic statistic(history, *findReduction(reduction), kNoContacts, window);
    statistic.start();
    for (const double begin : {0.0, 0.5, 1.0, 1.5}) {
      addStartOfStep(statistic, begin, begin < 1.0 ? 4.0 : 1.0);
      addEndOfStep(statistic, begin + 0.5, begin < 1.0 ? 4.0 : 1.0);
    }
    return statistic.valueOfReduction(*findReduction(reduction));
  };
  EXPECT_EQ(valueOf("mean", {0.0, 2.0}), 2.5);
  EXPECT_EQ(valueOf("mean", {0.75, 1.25}), 2.5);
  EXPECT_EQ(valueOf("mean", {0.25, 1.0}), 4.0);
  EXPECT_EQ(valueOf("max", {0.0, 2.0}), 4.0);
  EXPECT_EQ(valueOf("min", {0.25, 1.0}), 4.0);
  EXPECT_EQ(valueOf("max", {1.0, 1.75}), 1.0);
}

}  // namespace
}  // namespace ricochet
