#include "io/quantities/table/expression.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <span>

namespace ricochet {
namespace {

using testing::HasSubstr;

const ExpressionNames kNames{{"shoe", "puller"}, {"sole", "heel"}};

std::string problemOf(std::string_view text) {
  try {
    parseOutputExpression(text, kNames);
  } catch (const FormulaError& error) {
    return fmt::format("{}: {}", error.offset(), error.what());
  }
  return "none";
}

TEST(OutputExpression, ReadsTermsAndTheirFormula) {
  const OutputExpression e = parseOutputExpression(
      "max(abs(displacement(shoe, ux)))/0.5 - event_time(heel, slip_to_stick, 2)", kNames);
  ASSERT_EQ(e.terms.size(), 2u);
  EXPECT_EQ(e.terms[0].reduction, findReduction("max"));
  ASSERT_EQ(e.terms[0].history->channels.size(), 1u);
  EXPECT_EQ(e.terms[0].history->channels[0].dof.node.value, 0);
  EXPECT_EQ(e.terms[1].contact, 1);
  EXPECT_EQ(e.terms[1].index, 2);
  EXPECT_EQ(e.terms[1].event, EventKind::slipToStick);
  EXPECT_EQ(e.formula.evaluate(std::span<const double>(std::array{3.0, 1.5})), 4.5);
}

TEST(OutputExpression, KeepsTheMaximumOfTwoNumbers) {
  const OutputExpression e = parseOutputExpression("max(last(gap(sole)), 2)", kNames);
  ASSERT_EQ(e.terms.size(), 1u);
  EXPECT_EQ(e.formula.evaluate(std::span<const double>(std::array{1.0})), 2.0);
}

TEST(OutputExpression, TellsTheCharacterAtFault) {
  EXPECT_THAT(problemOf("max(displacement(shoo, ux))"),
              HasSubstr("17: no node \"shoo\"; did you mean \"shoe\"?"));
  EXPECT_THAT(problemOf("max(displacement(shoe, uxx))"), HasSubstr("23: must be one of ux, uy"));
  EXPECT_THAT(problemOf("2*displacement(shoe, ux)"), HasSubstr("2: is a history, not a number: reduce it"));
  EXPECT_THAT(problemOf("max(displacement(shoe, ux)"), HasSubstr("3: this parenthesis is not closed"));
  EXPECT_THAT(problemOf("1 + 2"), HasSubstr("names nothing of the run"));
  EXPECT_THAT(problemOf("mean(3)"), HasSubstr("5: names no history"));
  EXPECT_THAT(problemOf("event_time(sole, opned)"), HasSubstr("17: must be one of closing"));
  EXPECT_THAT(problemOf("event_time(sole, opening, 0)"), HasSubstr("26: must be the number of an event"));
  EXPECT_THAT(problemOf("max(tangential_force(sole, 3))"), HasSubstr("27: must be tangent 1 or 2"));
  EXPECT_THAT(problemOf("impulse(toe)"), HasSubstr("8: no contact \"toe\""));
  EXPECT_THAT(problemOf("energy_error() + foo(2)"), HasSubstr("17: "));
  EXPECT_THAT(problemOf("last(gap(sole))  last(gap(heel))"),
              HasSubstr("17: an operator is needed here (a product is written *, as in 10*t), found "
                        "\"last(gap(heel))\""));
  EXPECT_THAT(problemOf("last(gap(sole) gap(heel))"),
              HasSubstr("15: an operator is needed here (a product is written *, as in 10*t), found "
                        "\"gap(heel)\""));
}

/// Names of bodies and nodes may contain the characters that end a call, also inside reductions.
TEST(OutputExpression, TakesAnyNames) {
  const ExpressionNames odd{{"a\"b, (x", "a"}, {"c\"d, (x)", "c)"}, {"l(1, \"2"}};
  for (const std::string_view text :
       {"max(gap(c\"d, (x)))", "max(abs(displacement(a\"b, (x, ux)), from = 0.1)", "impulse(c\"d, (x))",
        "event_time(l(1, \"2, yield)", "max(gap(c)) - displacement(a, ux))", "mean(gap( c\"d, (x) )^2)"}) {
    const OutputExpression e = parseOutputExpression(text, odd);
    EXPECT_EQ(e.terms.size(), 1U) << text;
  }
  EXPECT_EQ(parseOutputExpression("impulse(c)) + impulse(c\"d, (x))", odd).terms.at(1).contact, 0);
}

/// Sums, differences and multiples are affine, as is the argument of a magnitude; products and powers are
/// not.
TEST(AffineForm, IsThatOfTheFormula) {
  const auto formOf = [](const char* text) {
    const HistoryExpression history = parseHistoryExpression(text, kNames);
    return affineFormOf(history.formula, history.channels.size());
  };
  const auto form = formOf("3 - (2*displacement(shoe, ux) - displacement(puller, ux)/4)");
  ASSERT_TRUE(form);
  EXPECT_FALSE(form->ofSize);
  EXPECT_EQ(form->factors, (std::vector<double>{-2.0, 0.25}));
  EXPECT_EQ(form->constant, 3.0);
  EXPECT_EQ(form->valueForVariables(std::array{1.0, 8.0}), 3.0);
  const auto size = formOf("abs(-displacement(shoe, ux) + displacement(shoe, uy) + 1)");
  ASSERT_TRUE(size);
  EXPECT_TRUE(size->ofSize);
  EXPECT_EQ(size->factors, (std::vector<double>{-1.0, 1.0}));
  EXPECT_EQ(size->constant, 1.0);
  for (const char* other :
       {"displacement(shoe, ux)^2", "displacement(shoe, ux)*velocity(shoe, ux)", "1/displacement(shoe, ux)",
        "abs(displacement(shoe, ux)) + 1", "sin(displacement(shoe, ux))", "min(displacement(shoe, ux), 0)"})
    EXPECT_FALSE(formOf(other)) << other;
}

}  // namespace
}  // namespace ricochet
