// The list of quantities, the list of reductions, and the grammar of both.

#include "io/quantities/table/expression.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

using testing::HasSubstr;

ExpressionNames names() {
  ExpressionNames made{{"shoe", "b, right (x)", "b"}, {"sole", "heel, 1"}, {"strut"}};
  made.linkVariables = [](int) { return std::vector<std::string>{"largest_crush", "residual_crush"}; };
  made.elements = {{"rod", 7}};
  made.recordedNumbers = [](const QuantityAt&) { return std::vector<std::string>{"impulse", "impacts"}; };
  return made;
}

std::string problemOf(std::string_view text, const ExpressionNames& known = names()) {
  try {
    parseOutputExpression(text, known);
  } catch (const FormulaError& error) {
    return fmt::format("{}: {}", error.offset(), error.what());
  }
  return "none";
}

/// The usage of a quantity with example names in place of its arguments.
std::string exampleOfType(const Quantity& quantity) {
  std::string text = syntaxOfQuantity(quantity);
  const std::pair<std::string_view, std::string_view> given[] = {{"NODE", "shoe"},
                                                                 {"DOF", "uy"},
                                                                 {"CONTACT", "sole"},
                                                                 {"LINK", "strut"},
                                                                 {"1|2", "2"},
                                                                 {"MODE", "3"},
                                                                 {"VARIABLE", "largest_crush"},
                                                                 {"KIND", "opening"},
                                                                 {"NUMBER", "1"},
                                                                 {"BEAM", "rod"},
                                                                 {"ELEMENT", "7"},
                                                                 {"COMPONENT", "Mz2"},
                                                                 {"NAME", "impacts"},
                                                                 {"WINDOW", "1"}};
  for (const auto& [asked, name] : given)
    if (const std::size_t at = text.find(asked); at != std::string::npos)
      text.replace(at, asked.size(), name);
  if (const std::size_t at = text.find("PART"); at != std::string::npos)
    text.replace(at, 4, quantity.place == QuantityPlace::linkPart ? "stored" : "kinetic");
  return text;
}

TEST(QuantityTable, NamesAreUnique) {
  std::set<std::string_view> keys, ofDecks, ofResults;
  for (const Quantity& each : allQuantities()) {
    EXPECT_FALSE(each.unit.empty()) << each.keyword;
    EXPECT_FALSE(each.meaning.empty()) << each.keyword;
    EXPECT_TRUE(!each.isAllowedAsCheckKey() || keys.insert(each.keyword).second) << each.keyword;
    if (!each.isAllowedInExpressions()) continue;
    EXPECT_TRUE(each.isOnlyForResults() || ofDecks.insert(each.name()).second) << each.keyword;
    EXPECT_TRUE(each.use == QuantityUse::decks || ofResults.insert(each.name()).second) << each.keyword;
  }
}

/// Every listed quantity can be written as in the manual, and the expression gives this quantity.
TEST(QuantityTable, EveryQuantityIsReadAsItIsWritten) {
  ExpressionNames ofResult = names();
  ofResult.ofResult = true;
  for (const Quantity& each : allQuantities()) {
    if (!each.isAllowedInExpressions()) continue;
    SCOPED_TRACE(exampleOfType(each));
    if (each.isHistory()) {
      const HistoryExpression history = parseHistoryExpression("2*" + exampleOfType(each), ofResult);
      ASSERT_EQ(history.channels.size(), 1u);
      EXPECT_EQ(history.channels[0].quantity, &each);
    } else {
      const OutputExpression output = parseOutputExpression("2*" + exampleOfType(each), names());
      ASSERT_EQ(output.terms.size(), 1u);
      EXPECT_EQ(output.terms[0].number, &each);
    }
  }
}

/// Every reduction takes every history except those of the energy, which exist at instants only.
TEST(QuantityTable, EveryReductionTakesEveryHistory) {
  for (const Reduction& reduction : allReductions())
    for (const Quantity& each : allQuantities()) {
      if (!each.isAllowedInExpressions() || !each.isHistory() || each.isOnlyForResults()) continue;
      const std::string text = fmt::format("{}({}{})", reduction.keyword, exampleOfType(each),
                                           reduction.takesInstant ? ", 0.5" : "");
      const bool isKnown = !reduction.isReductionOverInterval() || each.place != QuantityPlace::energyPart;
      EXPECT_THAT(problemOf(text), isKnown ? HasSubstr("none") : HasSubstr("known at instants only")) << text;
    }
}

TEST(QuantityTable, UnknownNamesListTheKnownOnesWithTheNearest) {
  EXPECT_THAT(problemOf("max(normal_forse(sole))"),
              HasSubstr("4: no quantity \"normal_forse\"; did you mean \"normal_force\"? There are "
                        "displacement, velocity, acceleration, gap, radius, normal_force"));
  EXPECT_THAT(problemOf("peak(gap(sole))"), HasSubstr("0: no quantity \"peak\""));
  EXPECT_THAT(problemOf("max(gap)"), HasSubstr("4: write gap(CONTACT)"));
  EXPECT_THAT(problemOf("max(link_variable(strut, largest_crash))"),
              HasSubstr("25: no variable \"largest_crash\"; did you mean \"largest_crush\"?"));
  EXPECT_THAT(problemOf("max(energy(heat))"), HasSubstr("11: must be one of kinetic, elastic"));
  EXPECT_EQ(problemOf("last(energy(residual))"), problemOf("last(energy(balance))"));
  EXPECT_THAT(problemOf("max(coordinate(1))"), HasSubstr("no quantity \"coordinate\""));
}

/// If an object lacks a quantity, the reader of names gives the reason.
TEST(QuantityTable, AsksWhetherThePlaceHasTheQuantity) {
  ExpressionNames known = names();
  known.lack = [](const QuantityAt& at) { return at.part == 2 ? "there is one axis" : ""; };
  EXPECT_EQ(problemOf("max(link_force(strut, 1))", known), "none");
  EXPECT_EQ(problemOf("max(link_force(strut, 2))", known), "22: there is one axis");
}

TEST(QuantityTable, ANameMayHoldCommasAndParentheses) {
  const HistoryExpression history = parseHistoryExpression(
      "displacement(b, right (x), ux) - displacement(b, ux) + gap(\"heel, 1\")", names());
  ASSERT_EQ(history.channels.size(), 3u);
  EXPECT_EQ(history.channels[0].dof.node.value, 1);
  EXPECT_EQ(history.channels[1].dof.node.value, 2);
  EXPECT_EQ(history.channels[2].body, 1);
  EXPECT_EQ(history.formula.evaluate(std::span<const double>(std::array{5.0, 2.0, 0.5})), 3.5);
}

/// The value 3 for 1 s, then -4 for 3 s.
TEST(ReductionTable, ReducesAStep) {
  constexpr double kLength = 4.0;
  const auto reduced = [](std::string_view keyword) {
    const Reduction& reduction = *findReduction(keyword);
    const double sum = reduction.squares ? 9.0 + 3.0 * 16.0 : 3.0 - 3.0 * 4.0;
    return reduction.value({3.0, -4.0, sum, kLength});
  };
  EXPECT_EQ(reduced("max"), 3.0);
  EXPECT_EQ(reduced("min"), -4.0);
  EXPECT_EQ(reduced("mean"), -9.0 / 4.0);
  EXPECT_EQ(reduced("rms"), std::sqrt(57.0 / 4.0));
  EXPECT_EQ(reduced("peak_to_peak"), 7.0);
  EXPECT_EQ(reduced("max_abs"), 4.0);
  EXPECT_EQ(findReduction("median"), nullptr);
}

}  // namespace
}  // namespace ricochet
