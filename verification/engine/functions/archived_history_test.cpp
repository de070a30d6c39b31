#include "engine/functions/archived_history.hpp"

#include "engine/functions/mean_frequency.hpp"
#include "engine/functions/time_function.hpp"
#include "verification/support/formula_of_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

using std::numbers::pi;

TimeFunction functionOfPieces(const HistoryPieces& pieces) {
  return TimeFunction::table(pieces.times, pieces.values, TimeFunction::Outside::undefined,
                             TimeFunction::Outside::undefined);
}

/// Rows of a sine of one period per second.
struct SineRows {
  SineRows(double perPeriod, double end) {
    for (int i = 0; i <= std::lround(perPeriod * end); ++i) {
      times.push_back(i / perPeriod);
      values.push_back(std::sin(2.0 * pi * times.back()));
      rates.push_back(2.0 * pi * std::cos(2.0 * pi * times.back()));
    }
  }
  std::vector<double> times, values, rates;
};

/// Amplitude of the part of a function that is a sine of one period per second, over whole periods.
double amplitudeOf(const TimeFunction& f, double end) {
  constexpr int kPoints = 200000;
  double sum = 0.0;
  for (int i = 0; i < kPoints; ++i) {
    const double t = end * (i + 0.5) / kPoints;
    sum += f.at(t) * std::sin(2.0 * pi * t);
  }
  return 2.0 * sum / kPoints;
}

TEST(ArchivedHistory, FollowsASineByItsRates) {
  // Hermite cubics of width h lose (omega h)^4 / 720 of the amplitude.
  for (const double perPeriod : {5.0, 8.0, 20.0}) {
    const SineRows rows(perPeriod, 10.0);
    const HistoryPieces pieces =
        approximateByStraightPieces({.times = rows.times, .values = rows.values, .rates = rows.rates});
    const double lost = std::pow(2.0 * pi / perPeriod, 4) / 720.0;
    EXPECT_NEAR(amplitudeOf(functionOfPieces(pieces), 10.0), 1.0 - lost, 0.3 * lost + 1e-5) << perPeriod;
    EXPECT_NEAR(pieces.omitted, lost, 0.3 * lost) << perPeriod;
    EXPECT_TRUE(pieces.resolved);
    for (std::size_t i = 0; i < rows.times.size(); ++i)
      EXPECT_NEAR(functionOfPieces(pieces).at(rows.times[i]), rows.values[i], 1e-15);
  }
}

TEST(ArchivedHistory, FollowsASineByItsIntegral) {
  // Parabolas between the values, with the integral between them, lose (omega h)^4 / 720 too.
  for (const double perPeriod : {5.0, 8.0, 20.0}) {
    const SineRows rows(perPeriod, 10.0);
    std::vector<double> integrals;
    for (const double t : rows.times) integrals.push_back(3.0 - std::cos(2.0 * pi * t) / (2.0 * pi));
    const HistoryPieces pieces =
        approximateByStraightPieces({.times = rows.times, .values = rows.values, .integrals = integrals});
    const double lost = std::pow(2.0 * pi / perPeriod, 4) / 720.0;
    EXPECT_NEAR(amplitudeOf(functionOfPieces(pieces), 10.0), 1.0 - lost, 0.3 * lost + 1e-5) << perPeriod;
    EXPECT_NEAR(pieces.omitted, lost, 0.3 * lost) << perPeriod;
    EXPECT_TRUE(pieces.resolved);
  }
}

TEST(ArchivedHistory, TellsOfAnIntegralThatItsRowsLack) {
  // An impact adds 1 to the integral; the mean size of the sine over 10 s is 20/pi.
  const SineRows rows(20.0, 10.0);
  std::vector<double> integrals;
  for (const double t : rows.times)
    integrals.push_back((t > 5.01 ? 1.0 : 0.0) - std::cos(2.0 * pi * t) / (2.0 * pi));
  const std::vector<double> events{5.01};
  const HistoryPieces pieces = approximateByStraightPieces(
      {.times = rows.times, .values = rows.values, .events = events, .integrals = integrals});
  EXPECT_NEAR(pieces.omitted, pi / 20.0, 0.01 * pi / 20.0);
}

TEST(ArchivedHistory, TellsWhatStraightPiecesLeaveOut) {
  // Straight pieces of width h have sinc(omega h / 2)^2 of the amplitude.
  for (const double perPeriod : {5.0, 20.0}) {
    const SineRows rows(perPeriod, 10.0);
    const HistoryPieces pieces = approximateByStraightPieces({.times = rows.times, .values = rows.values});
    const double kept = std::pow(std::sin(pi / perPeriod) / (pi / perPeriod), 2);
    EXPECT_EQ(pieces.times, rows.times);
    EXPECT_NEAR(amplitudeOf(functionOfPieces(pieces), 10.0), kept, 1e-6);
    EXPECT_NEAR(pieces.omitted, 1.0 - kept, 0.1 * (1.0 - kept)) << perPeriod;
  }
}

TEST(ArchivedHistory, HasTheIntegralOfACubic) {
  std::vector<double> times{0.0, 0.4, 1.0, 1.1, 2.0}, values, rates;
  for (const double t : times) {
    values.push_back(t * t * t - t);
    rates.push_back(3.0 * t * t - 1.0);
  }
  const HistoryPieces pieces =
      approximateByStraightPieces({.times = times, .values = values, .rates = rates});
  double integral = 0.0;
  for (std::size_t i = 1; i < pieces.times.size(); ++i)
    integral += 0.5 * (pieces.times[i] - pieces.times[i - 1]) * (pieces.values[i] + pieces.values[i - 1]);
  EXPECT_NEAR(integral, 4.0 - 2.0, 1e-14);
  EXPECT_GT(pieces.times.size(), times.size() + 8);
}

TEST(ArchivedHistory, IsStraightBeforeAnEventWhoseRowHasTheRateAfterIt) {
  const std::vector<double> times{0.0, 0.25, 0.5, 0.75, 1.0}, values{0.5, 0.25, 0.0, 0.25, 0.5},
      rates{-1.0, -1.0, 1.0, 1.0, 1.0}, events{0.5};
  const HistoryPieces pieces =
      approximateByStraightPieces({.times = times, .values = values, .rates = rates, .events = events});
  const TimeFunction f = functionOfPieces(pieces);
  for (double t = 0.0; t < 1.0; t += 0.01) EXPECT_NEAR(f.at(t), std::abs(t - 0.5), 1e-15);
  EXPECT_EQ(pieces.omitted, 0.0);
}

TEST(ArchivedHistory, DoesNotOvershootWhereARateIsThatOfASpike) {
  const std::vector<double> times{0.0, 1.0, 2.0, 3.0, 4.0}, values{0.0, 0.0, 0.5, 1.0, 1.0},
      rates{0.0, 0.0, 1e3, 0.0, 0.0};
  const HistoryPieces pieces =
      approximateByStraightPieces({.times = times, .values = values, .rates = rates});
  EXPECT_GE(std::ranges::min(pieces.values), -0.2);
  EXPECT_LE(std::ranges::max(pieces.values), 1.2);
  EXPECT_FALSE(pieces.resolved);
}

TEST(ArchivedHistory, TellsThatItsRowsMissItsMotion) {
  for (const double perPeriod : {1.0, 1.25, 0.5}) {  // rows that look constant, or like a slower sine
    const SineRows rows(perPeriod, 20.0);
    EXPECT_FALSE(
        approximateByStraightPieces({.times = rows.times, .values = rows.values, .rates = rows.rates})
            .resolved)
        << perPeriod;
  }
}

TEST(MeanFrequency, IsThatOfASine) {
  EXPECT_NEAR(meanAngularFrequency(test::formulaOfTime("3 + 100*sin(200*t)"), 0.0, 60.0), 200.0, 4.0);
  EXPECT_NEAR(meanAngularFrequency(test::formulaOfTime("0.001*cos(0.5*t)"), 0.0, 60.0), 0.5, 0.01);
  const SineRows rows(40.0, 10.0);
  const TimeFunction table = functionOfPieces({rows.times, rows.values});
  EXPECT_NEAR(meanAngularFrequency(table, 0.0, 10.0), 2.0 * pi, 0.05);
  EXPECT_NEAR(meanAngularFrequency(table, 2.0, 7.0), 2.0 * pi, 0.05);
}

TEST(MeanFrequency, IsZeroForLinesAndSteps) {
  EXPECT_EQ(meanAngularFrequency(test::formulaOfTime("2 - 3*t"), 0.0, 60.0), 0.0);
  EXPECT_EQ(meanAngularFrequency(TimeFunction::constant(2.0), 0.0, 60.0), 0.0);
  EXPECT_EQ(meanAngularFrequency(TimeFunction::steps({{0.0, 1.0}, {1.0, 2.0}, {2.0, -1.0}}), 0.0, 3.0), 0.0);
  // A jump in the form of a ramp has no frequency either.
  const std::vector<double> times{0.0, 1.0, 1.000000001, 3.0}, values{0.0, 0.0, 1.0, 1.0};
  EXPECT_EQ(meanAngularFrequency(TimeFunction::table(times, values, TimeFunction::Outside::constant,
                                                     TimeFunction::Outside::constant),
                                 0.0, 3.0),
            0.0);
}

}  // namespace
}  // namespace ricochet
