#include "engine/functions/time_function.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

using Outside = TimeFunction::Outside;

/// 0 at 1 s, 2 at 2 s, jump to 5, 3 at 4 s.
TimeFunction sample(Outside before, Outside after) {
  const std::array times{1.0, 2.0, 2.0, 4.0};
  const std::array values{0.0, 2.0, 5.0, 3.0};
  return TimeFunction::table(times, values, before, after);
}

TEST(TimeFunction, ConstantIsTheSameEverywhere) {
  const TimeFunction f = TimeFunction::constant(7.0);
  EXPECT_EQ(f.at(-1e9), 7.0);
  EXPECT_EQ(f.valueJustBefore(0.0), 7.0);
  EXPECT_TRUE(f.isDefined(-1e30, 1e30));
  EXPECT_TRUE(f.breakpoints().empty());
}

TEST(TimeFunction, IsStraightBetweenItsPoints) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  EXPECT_EQ(f.at(1.5), 1.0);
  EXPECT_EQ(f.at(3.0), 4.0);
  EXPECT_EQ(f.valueJustBefore(1.5), 1.0);
}

TEST(TimeFunction, HasTwoValuesAtAJump) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  EXPECT_EQ(f.at(2.0), 5.0);
  EXPECT_EQ(f.valueJustBefore(2.0), 2.0);
}

TEST(TimeFunction, FirstAndLastPointBelongToTheTable) {
  const TimeFunction f = sample(Outside::undefined, Outside::undefined);
  EXPECT_EQ(f.at(1.0), 0.0);
  EXPECT_EQ(f.at(4.0), 3.0);
  EXPECT_EQ(f.valueJustBefore(4.0), 3.0);
  EXPECT_TRUE(f.isDefined(1.0, 4.0));
  EXPECT_FALSE(f.isDefined(0.999, 4.0));
  EXPECT_FALSE(f.isDefined(1.0, 4.001));
}

TEST(TimeFunction, IsZeroOutside) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  EXPECT_EQ(f.at(0.0), 0.0);
  EXPECT_EQ(f.at(4.5), 0.0);
  EXPECT_EQ(f.valueJustBefore(4.0), 3.0);
  EXPECT_EQ(f.at(4.0), 0.0);  // the value after the jump at 4
}

TEST(TimeFunction, HoldsItsEndsOutside) {
  const TimeFunction f = sample(Outside::constant, Outside::constant);
  EXPECT_EQ(f.at(-10.0), 0.0);
  EXPECT_EQ(f.at(10.0), 3.0);
}

TEST(TimeFunction, CarriesOnItsSlopesOutside) {
  const TimeFunction f = sample(Outside::linear, Outside::linear);
  EXPECT_EQ(f.at(0.0), -2.0);
  EXPECT_EQ(f.at(6.0), 1.0);
}

TEST(TimeFunction, OnePointIsAStepWhenOutsideIsZeroBefore) {
  const std::array times{1.0};
  const std::array values{3.0};
  const TimeFunction f = TimeFunction::table(times, values, Outside::zero, Outside::constant);
  EXPECT_EQ(f.valueJustBefore(1.0), 0.0);
  EXPECT_EQ(f.at(1.0), 3.0);
  EXPECT_EQ(f.breakpoints(), std::vector<double>{1.0});
}

TEST(TimeFunction, BreakpointsAreJumpsAndKinks) {
  // Values 0 2 | 5 3: a kink at 1 and at 4 against the constants outside, a jump at 2.
  EXPECT_EQ(sample(Outside::constant, Outside::constant).breakpoints(), (std::vector<double>{1.0, 2.0, 4.0}));
  // With linear extrapolation the table has no kinks at its ends.
  EXPECT_EQ(sample(Outside::linear, Outside::linear).breakpoints(), std::vector<double>{2.0});
  const std::array times{0.0, 1.0, 2.0};
  const std::array values{0.0, 1.0, 2.0};
  EXPECT_TRUE(TimeFunction::table(times, values, Outside::linear, Outside::linear).breakpoints().empty());
}

TEST(FunctionCursor, StaysOnItsPieceUntilAdvanced) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  FunctionCursor cursor(f);
  cursor.advance(1.5, 0.0);
  EXPECT_EQ(cursor.at(2.0), 2.0);  // a step that ends at the jump uses the value before the jump
  cursor.advance(2.0, 0.0);
  EXPECT_EQ(cursor.at(2.0), 5.0);
  cursor.advance(3.0, 0.0);
  EXPECT_EQ(cursor.at(3.0), 4.0);
}

TEST(FunctionCursor, SaysWhenTheValueJumpedOnItsWay) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  FunctionCursor cursor(f);
  EXPECT_FALSE(cursor.advance(1.5, 0.0));  // past the kink at 1, where the value is 0 on both sides
  EXPECT_TRUE(cursor.advance(2.0, 0.0));
  EXPECT_FALSE(cursor.advance(3.0, 0.0));
  EXPECT_TRUE(cursor.advance(4.0, 0.0));
}

TEST(FunctionCursor, TakesNoJumpFromTheRoundingOfASampledFunction) {
  // A harmonic sampled every 1e-5 s is continuous: the values of two pieces at their common end differ by
  // rounding.
  std::vector<double> times, values;
  for (int i = 0; i <= 20000; ++i) {
    times.push_back(i * 1e-5);
    values.push_back(20.0 * std::sin(2.0 * std::numbers::pi * 13.0 * times.back()));
  }
  const TimeFunction f = TimeFunction::table(times, values, Outside::constant, Outside::constant);
  FunctionCursor cursor(f);
  for (const double t : times) ASSERT_FALSE(cursor.advance(t, 1e-14)) << "t = " << t;
}

TEST(FunctionCursor, LeavesAPieceThatEndsWithinTheTolerance) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  FunctionCursor cursor(f);
  cursor.advance(1.0, 0.0);
  cursor.advance(2.0 - 1e-6, 1e-7);
  EXPECT_EQ(cursor.at(2.0), 2.0);
  cursor.advance(2.0 - 1e-6, 1e-5);
  EXPECT_EQ(cursor.at(2.0), 5.0);
}

TEST(FunctionCursor, GoesBackOnlyByRewinding) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  FunctionCursor cursor(f);
  cursor.advance(3.0, 0.0);
  cursor.rewind();
  cursor.advance(1.0, 0.0);
  EXPECT_EQ(cursor.at(1.5), 1.0);
}

TEST(FunctionCursor, PassesSeveralPiecesAtOnce) {
  const TimeFunction f = sample(Outside::zero, Outside::constant);
  FunctionCursor cursor(f);
  EXPECT_TRUE(cursor.advance(9.0, 0.0));
  EXPECT_EQ(cursor.at(9.0), 3.0);
}

TEST(TimeFunction, FormulaIsDefinedEverywhere) {
  constexpr std::array<std::string_view, 1> kTime{"t"};
  const TimeFunction f = TimeFunction::formula(Formula::parse("3 + t^2", kTime));
  EXPECT_EQ(f.at(-2.0), 7.0);
  EXPECT_EQ(f.valueJustBefore(2.0), 7.0);
  EXPECT_TRUE(f.isDefined(-1e30, 1e30));
  EXPECT_TRUE(f.breakpoints().empty());
  ASSERT_NE(f.formulaOrNull(), nullptr);
  EXPECT_TRUE(f.formulaOrNull()->isSmooth());
  EXPECT_EQ(TimeFunction::constant(1.0).formulaOrNull(), nullptr);
}

TEST(FunctionCursor, FollowsAFormulaWithoutAJump) {
  constexpr std::array<std::string_view, 1> kTime{"t"};
  const TimeFunction f = TimeFunction::formula(Formula::parse("if(t < 1, 2, 5)", kTime));
  FunctionCursor cursor(f);
  EXPECT_EQ(cursor.formulaOrNull(), f.formulaOrNull());
  for (const double t : {-1.0, 0.0, 0.5, 1.0, 2.0}) {
    EXPECT_FALSE(cursor.advance(t, 0.0)) << "t = " << t;
    EXPECT_EQ(cursor.at(t), t < 1.0 ? 2.0 : 5.0);
  }
  cursor.rewind();
  EXPECT_EQ(cursor.at(0.5), 2.0);
}

TEST(FunctionCursor, ShowsTheStraightPieceItIsOn) {
  const TimeFunction f = sample(Outside::zero, Outside::zero);
  FunctionCursor cursor(f);
  EXPECT_EQ(cursor.formulaOrNull(), nullptr);
  cursor.advance(3.0, 0.0);
  EXPECT_EQ(cursor.piece().begin, 2.0);
  EXPECT_EQ(cursor.piece().end, 4.0);
  EXPECT_EQ(cursor.piece().slope, -1.0);
}

}  // namespace
}  // namespace ricochet
