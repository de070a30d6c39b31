#include "engine/transient/step_statistics.hpp"

#include "verification/support/models.hpp"
#include "verification/support/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

/// x = q and x' = q' of a mass of 1 kg.
std::vector<StepChannel> placeAndSpeed() {
  Vector row = Vector::Zero(8);
  row[0] = 1.0;
  return {{row, true}, {row, false}};
}

/// A free oscillator of 1 kg and omega = 2 pi rad/s over `periods`, from x = 0 at a speed of 2 pi m/s: x =
/// sin.
test::StudyVariant freeOscillation(double step, double periods) {
  const double omega = 2.0 * std::numbers::pi;
  State start(1);
  start.v[0] = omega;
  test::StudyVariants study;
  study.emplace_back(test::oscillator({.mass = 1.0, .stiffness = omega * omega}), start, placeAndSpeed());
  test::runVariantsAlone(study, "kick_drift", {.end = periods, .step = step, .archiveEvery = 1 << 30});
  return std::move(study.front());
}

TEST(StepStatistics, OfASineAreThoseOfItsClosedForm) {
  // The steps miss the maxima by 0.3 of a step; kick_drift is exact for a free oscillator.
  constexpr double step = 1.0 / 25.2;
  const test::StudyVariant run = freeOscillation(step, 5.0);
  const StepStatistics& found = *run.observer.statistics;
  // The cubic between steps has an error of at most (omega h)^4/384.
  const double angle = 2.0 * std::numbers::pi * step;
  const double cubic = std::pow(angle, 4) / 384.0;
  EXPECT_NEAR(found.largest(0), 1.0, cubic);
  EXPECT_NEAR(found.smallest(0), -1.0, cubic);
  // For the velocity only values at the steps are used: the error is at most (omega h/2)^2/2, and the motion
  // starts at a maximum.
  const double speed = 2.0 * std::numbers::pi;
  EXPECT_NEAR(found.largest(1), speed, 126 * 4e-16 * speed);  // rounding of this number of steps
  EXPECT_LE(found.smallest(1), -speed * (1.0 - angle * angle / 8.0));
  // The trapezoidal rule over a period has the relative error (omega h)^2/12; at the ends the last step is
  // shorter.
  EXPECT_NEAR(found.mean(0), 0.0, angle * angle / 12.0);
  EXPECT_NEAR(found.rootMeanSquare(0), std::sqrt(0.5), angle * angle / 12.0);
  EXPECT_NEAR(found.rootMeanSquare(1), speed * std::sqrt(0.5), speed * angle * angle / 12.0);
}

TEST(StepStatistics, CrestBetweenStepsConvergesAtFourthOrder) {
  // The maximum is in the middle of a step: x = sin, 4 k + 2 steps per period.
  const auto error = [](int perPeriod) {
    return 1.0 - freeOscillation(1.0 / perPeriod, 1.0).observer.statistics->largest(0);
  };
  const double ratio = error(22) / error(42);
  EXPECT_NEAR(std::log(ratio) / std::log(42.0 / 22.0), 4.0, 0.1);
}

TEST(StepStatistics, OfARunWithoutMotionAreZero) {
  test::StudyVariants study;
  study.emplace_back(test::oscillator({.mass = 1.0, .stiffness = 1.0}), State(1), placeAndSpeed());
  test::runVariantsAlone(study, "central_difference", {.end = 1.0, .step = 0.1});
  const StepStatistics& found = *study.front().observer.statistics;
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(found.largest(i), 0.0);
    EXPECT_EQ(found.smallest(i), 0.0);
    EXPECT_EQ(found.mean(i), 0.0);
    EXPECT_EQ(found.rootMeanSquare(i), 0.0);
  }
}

TEST(StepStatistics, ParabolaTurnsWhereItDoes) {
  // x = t - t^2 over one step of 1: maximum 1/4 at 1/2, and the same with opposite sign.
  EXPECT_DOUBLE_EQ(extremumOfCubicMotionInStep<double>(0.0, 1.0, 0.0, -1.0, 1.0), 0.25);
  EXPECT_DOUBLE_EQ(extremumOfCubicMotionInStep<double>(0.0, -1.0, 0.0, 1.0, 1.0), -0.25);
  // x = t^3/3 - t over [0, 2] (h = 2): -2/3 at 1
  EXPECT_DOUBLE_EQ(extremumOfCubicMotionInStep<double>(0.0, -1.0, 8.0 / 3.0 - 2.0, 3.0, 2.0), -2.0 / 3.0);
  // A maximum just after the start of a step, whose root is computed without cancellation.
  EXPECT_DOUBLE_EQ(extremumOfCubicMotionInStep<double>(5.0, 1e-9, 4.0, -2.0, 1.0), 5.0);
}

}  // namespace
}  // namespace ricochet
