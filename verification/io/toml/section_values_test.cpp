#include "physical/dof.hpp"
#include "physical/types.hpp"
#include "verification/support/deck_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using DeckText = test::DeckText;
using test::valuesOf;

// numbers

TEST(SectionValues, IntegerIsAcceptedWhereANumberIsWanted) {
  const DeckText deck("\na = 5\n");
  EXPECT_EQ(deck.root.number("a", kRequired), 5.0);
  EXPECT_THAT(deck.problems(), IsEmpty());
}

TEST(SectionValues, NonFiniteNumbersAreRefused) {
  const DeckText deck("\na = nan\nb = -inf\nc = [1.0, inf]\n");
  deck.root.number("a", kRequired);
  deck.root.number("b", 1.0);
  deck.root.numbers("c");
  EXPECT_THAT(deck.problems(), ElementsAre("shoe.toml:1:5: a: must be finite, got nan",
                                           "shoe.toml:2:5: b: must be finite, got -inf",
                                           "shoe.toml:3:11: c[1]: must be finite, got inf"));
}

TEST(SectionValues, BoundsSayWhetherTheyBelong) {
  const DeckText deck("\na = 0\nb = 0\nc = 1.5\nd = 0.5\ne = 3\n");
  EXPECT_EQ(deck.root.number("a", kRequired, rangeAtLeast(0.0)), 0.0);
  EXPECT_GT(deck.root.number("b", kRequired, rangeAbove(0.0, "kg")), 0.0);
  deck.root.number("c", kRequired, rangeWithin(0.0, 1.0));
  deck.root.number("d", kRequired, {.lowest = 0.0, .below = 0.5, .unit = "-"});
  deck.root.number("e", kRequired, {.highest = 2.0, .unit = "m"});
  EXPECT_THAT(deck.problems(), ElementsAre("shoe.toml:2:5: b: must be above 0 kg, got 0",
                                           "shoe.toml:3:5: c: must be between 0 and 1, got 1.5",
                                           "shoe.toml:4:5: d: must be at least 0 and below 0.5, got 0.5",
                                           "shoe.toml:5:5: e: must be at most 2 m, got 3"));
}

TEST(SectionValues, NeutralNumberLiesInItsRange) {
  for (const Range& range :
       {rangeAtLeast(2.0), rangeAbove(0.0), rangeWithin(-3.0, -1.0), Range{.highest = -4.0},
        Range{.below = 0.0}, Range{.above = 1.0, .below = 1.5}, Range{}})
    EXPECT_TRUE(range.contains(range.valueWithinRange())) << range.text();
}

TEST(SectionValues, IntegerMustFit) {
  const DeckText deck("\na = 3000000000\nb = 3000000000\nc = 0\n");
  deck.root.integer("a", kRequired);
  EXPECT_EQ(deck.root.longInteger("b", 0), 3000000000);
  EXPECT_EQ(deck.root.integer("c", 7, rangeAtLeast(1.0)), 1);
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:1:5: a: must be between -2147483648 and 2147483647, got 3000000000",
                          "shoe.toml:3:5: c: must be at least 1, got 0"));
}

TEST(SectionValues, FallbacksAreTakenAndListed) {
  const DeckText deck("\n[transient]\nstep = 0.1\n");
  const Section transient = deck.root.section("transient", kRequired);
  EXPECT_EQ(transient.number("start", 0.25, {.unit = "s"}), 0.25);
  EXPECT_EQ(transient.number("step", 1.0), 0.1);
  EXPECT_EQ(transient.string("scheme", "newmark"), "newmark");
  EXPECT_FALSE(transient.boolean("loud", false));
  ASSERT_EQ(deck.root.usedDefaults().size(), 3U);
  EXPECT_EQ(deck.root.usedDefaults()[0].path, "transient.start");
  EXPECT_EQ(deck.root.usedDefaults()[0].value, "0.25");
  EXPECT_EQ(deck.root.usedDefaults()[0].unit, "s");
  EXPECT_EQ(deck.root.usedDefaults()[1].value, "\"newmark\"");
}

TEST(SectionValues, OptionalIsEmptyOnlyIfAbsent) {
  const DeckText deck("\na = \"x\"\n");
  EXPECT_TRUE(deck.root.number("a").has_value());
  EXPECT_FALSE(deck.root.number("b").has_value());
  EXPECT_EQ(deck.diagnostics.size(), 1U);
}

// strings

TEST(SectionValues, ChoiceListsAllowedAndNearest) {
  const DeckText deck("\n[o]\ntype = \"solt\"\n");
  const Section obstacle = deck.root.section("o", kRequired);
  EXPECT_EQ(obstacle.choice("type", kRequired, {"plane", "slot", "circle"}), "");
  EXPECT_EQ(obstacle.choice("side", "inside", {"inside", "outside"}), "inside");
  EXPECT_THAT(deck.problems(), ElementsAre("shoe.toml:2:8: o.type: must be one of \"plane\", \"slot\", "
                                           "\"circle\", got the string \"solt\"; did you mean \"slot\"?"));
}

TEST(SectionValues, NumberOrWordTakesBoth) {
  const DeckText deck("\na = 3\nb = \"critical\"\nc = \"critcal\"\nd = true\n");
  EXPECT_EQ(std::get<double>(deck.root.numberOrString("a", kRequired)), 3.0);
  EXPECT_EQ(std::get<std::string>(deck.root.numberOrString("b", kRequired, {}, {"critical"})), "critical");
  deck.root.numberOrString("c", kRequired, {}, {"critical"});
  deck.root.numberOrString("d");
  EXPECT_THAT(
      deck.problems(),
      ElementsAre("shoe.toml:3:5: c: must be a number or \"critical\", got the string "
                  "\"critcal\"; did you mean \"critical\"?",
                  "shoe.toml:4:5: d: must be a number or the name of a function, got the boolean true"));
}

TEST(SectionValues, StringsKeepTheirPlaces) {
  const DeckText deck("\nnodes = [\"a\",\n  \"b\"]\nnode = \"all\"\nnone = []\nbad = [\"x\", 1]\n");
  const auto nodes = deck.root.strings("nodes", kRequired);
  EXPECT_THAT(valuesOf(nodes), ElementsAre("a", "b"));
  EXPECT_EQ(nodes[1].where, (SourceLocation{"shoe.toml", 2, 3}));
  EXPECT_EQ(nodes[1].path, "nodes[1]");
  EXPECT_EQ(deck.root.strings("node", kRequired).at(0).path, "node");
  EXPECT_TRUE(deck.root.strings("none")->empty());
  deck.root.strings("none", kRequired);
  deck.root.strings("bad");
  EXPECT_THAT(deck.problems(), ElementsAre("shoe.toml:4:8: none: must hold at least one string",
                                           "shoe.toml:5:13: bad[1]: must be a string, got the integer 1"));
}

TEST(SectionValues, ChoicesLeaveOutWhatIsNotAllowed) {
  const DeckText deck("\nfixed = [\"uy\", \"uw\", \"uz\"]\n");
  EXPECT_THAT(valuesOf(deck.root.choices("fixed", kRequired, kComponentNames)), ElementsAre("uy", "uz"));
  ASSERT_EQ(deck.problems().size(), 1U);
  EXPECT_THAT(deck.problems()[0], HasSubstr("shoe.toml:1:16: fixed[1]: must be one of \"ux\", \"uy\""));
}

// arrays

TEST(SectionValues, VectorSizesAreChecked) {
  const DeckText deck("\na = [1, 2]\nb = [1, 2, 3, 4, 5, 6]\nc = 4\n");
  EXPECT_EQ(deck.root.vector3("a", kRequired), Vec3::Zero());
  EXPECT_EQ(deck.root.numbers("b", kRequired, {3, 6}).size(), 6U);
  EXPECT_EQ(deck.root.numbers("c", kRequired, {3, 6}).size(), 3U);
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:1:5: a: must be an array of 3 numbers, got an array of 2 values",
                          "shoe.toml:3:5: c: must be an array of 3 or 6 numbers, got the integer 4"));
}

TEST(SectionValues, DirectionIsNormalisedAndNotZero) {
  const DeckText deck("\na = [0, 3, 4]\nb = [0, 0.0, 0]\nc = [0, 0, \"z\"]\nd = [0, 0, 1e-300]\n");
  // 3/5 and 4/5, accurate to one rounding of the division.
  EXPECT_TRUE(deck.root.direction("a", kRequired).isApprox(Vec3(0.0, 0.6, 0.8), 1e-15));
  EXPECT_EQ(deck.root.direction("b", kRequired), Vec3::UnitX());
  EXPECT_EQ(deck.root.direction("c", kRequired), Vec3::UnitX());
  EXPECT_EQ(deck.root.direction("c", kRequired), Vec3::UnitX());
  EXPECT_TRUE(deck.root.direction("d", kRequired).isApprox(Vec3::UnitZ(), 1e-15));
  EXPECT_THAT(deck.problems(), ElementsAre("shoe.toml:2:5: b: must not be zero",
                                           "shoe.toml:3:12: c[2]: must be a number, got the string \"z\""));
}

TEST(SectionValues, MatrixShapesAreChecked) {
  const DeckText deck(R"(
a = [[1, 2], [3, 4]]
b = [[1, 2, 3], [4, 5]]
c = [[1, 2, 3], [4, 5, 6]]
d = [1, 2]
)");
  const Matrix a = deck.root.matrix("a", kRequired, {{2, 2}, {3, 3}});
  EXPECT_EQ(a(0, 1), 2.0);
  EXPECT_EQ(a(1, 0), 3.0);
  EXPECT_EQ(deck.root.matrix("b", kRequired, {{2, 2}, {3, 3}}), Matrix::Zero(2, 2));
  deck.root.matrix("c", kRequired, {{2, 2}, {3, 3}});
  deck.root.matrix("d");
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:2:17: b[1]: must be an array of 3 numbers, got an array of 2 values",
                          "shoe.toml:3:5: c: must be a 2x2 or 3x3 matrix [[..], ..], got 2x3",
                          "shoe.toml:4:5: d: must be a matrix [[..], ..], got an array of 2 values"));
}

TEST(SectionValues, NumbersOrNamesOfFunctions) {
  const DeckText deck("\nv = [1, \"pull\", 0.5]\nw = [1, true, 0]\n");
  const auto found = deck.root.numbersOrStrings("v", {3});
  EXPECT_EQ(std::get<std::string>(found->at(1)), "pull");
  EXPECT_EQ(std::get<double>(found->at(2)), 0.5);
  EXPECT_EQ(deck.root.numbersOrStrings("w", {3})->size(), 3U);
  EXPECT_THAT(
      deck.problems(),
      ElementsAre("shoe.toml:2:9: w[1]: must be a number or the name of a function, got the boolean true"));
}

}  // namespace
}  // namespace ricochet
