#include "physical/types.hpp"
#include "verification/support/deck_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using DeckText = test::DeckText;
using test::valuesOf;

// Locations and texts of problems.

TEST(Section, RangeErrorHasPlacePathUnitAndFoundValue) {
  const DeckText deck(R"(
title = "Shoe"

[[contacts]]
name = "sole"
normal = { stiffness = -100.0, damping = 0.0 }
)");
  const Section normal = deck.root.sections("contacts").at(0).section("normal", kRequired);
  const double stiffness = normal.number("stiffness", kRequired, rangeAtLeast(0.0, "N/m"));
  EXPECT_EQ(stiffness, 0.0);
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:5:24: contacts[0].normal.stiffness: must be at least 0 N/m, got -100"));
}

TEST(Section, UnknownKeyListsKnownOnesAndNearest) {
  const DeckText deck(R"(
[[contacts]]
normal = { stiffness = 1.0, dmaping = 0.0 }
)");
  const Section contact = deck.root.sections("contacts").at(0);
  const Section normal = contact.section("normal", kRequired);
  normal.number("stiffness", kRequired);
  normal.number("damping", 0.0);
  normal.boolean("tension", false);
  deck.root.reportUnreadKeysOfAllSections();
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:2:29: contacts[0].normal.dmaping: unknown; contacts[0].normal takes "
                          "stiffness, damping, tension; did you mean `damping`?"));
}

TEST(Section, UnknownKeyOfTheTopLevelIsTold) {
  const DeckText deck("\ntitle = \"x\"\n  nodse = 1\nqqqqq = 2\n");
  deck.root.string("title");
  deck.root.sections("nodes");
  deck.root.reportUnreadKeys();
  deck.root.number("asked_too_late");
  deck.root.reportUnreadKeys();
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:2:3: nodse: unknown; the deck takes title, nodes; did you mean `nodes`?",
                          "shoe.toml:3:1: qqqqq: unknown; the deck takes title, nodes"));
}

TEST(Section, MisspeltRequiredKeyIsOneProblem) {
  const DeckText deck("\n[transient]\nstpe = 1.0e-4\n");
  const Section transient = deck.root.section("transient", kRequired);
  transient.number("step", kRequired, rangeAbove(0.0, "s"));
  transient.number("duration", kRequired, rangeAbove(0.0, "s"));
  EXPECT_EQ(deck.diagnostics.size(), 2U);
  transient.reportUnreadKeys();
  EXPECT_THAT(
      deck.problems(),
      ElementsAre("shoe.toml:1:1: transient.duration: missing; give a number in s, such as duration = 0.1",
                  "shoe.toml:2:1: transient.stpe: unknown; transient takes step, "
                  "duration; did you mean `step`?"));
}

TEST(Section, AllProblemsComeAtOnceInTheOrderOfTheFile) {
  const DeckText deck(R"(
[a]
one = "1"
two = 2.5
three = true
four = [1, "x", 3]
extra = 1
[b]
five = -1
)");
  const Section b = deck.root.section("b", kRequired);
  b.integer("five", kRequired, rangeAbove(0.0));
  const Section a = deck.root.section("a", kRequired);
  a.vector3("four", kRequired);
  a.string("three", kRequired);
  a.integer("two", kRequired);
  a.number("one", kRequired);
  deck.root.section("c", kRequired).number("nothing", kRequired);
  deck.root.reportUnreadKeysOfAllSections();
  EXPECT_THAT(
      deck.problems(),
      ElementsAre("shoe.toml:1:1: c: missing; it must be a table",
                  "shoe.toml:2:7: a.one: must be a number, got the string \"1\"; write 1.0 without quotes",
                  "shoe.toml:3:7: a.two: must be an integer, got the number 2.5",
                  "shoe.toml:4:9: a.three: must be a string, got the boolean true",
                  "shoe.toml:5:12: a.four[1]: must be a number, got the string \"x\"",
                  "shoe.toml:6:1: a.extra: unknown; a takes four, three, two, one",
                  "shoe.toml:8:8: b.five: must be above 0, got -1"));
}

std::string refusal(const std::function<Document()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.problems().size() == 1 ? error.problems().front().text() : error.what();
  }
  return "";
}

TEST(Section, SyntaxErrorHasItsPlace) {
  EXPECT_THAT(refusal([] { return Document::parse("title = \"a\"\nx = \n", "shoe.toml"); }),
              StartsWith("shoe.toml:2:5: "));
  EXPECT_THAT(refusal([] { return Document::parse("a = 1\na = 2\n", "shoe.toml"); }),
              HasSubstr("cannot redefine existing integer 'a'"));
}

TEST(Section, SyntaxErrorsOfEditorsHaveARemedy) {
  EXPECT_THAT(refusal([] { return Document::parse("a = \u201cx\u201d\n", "shoe.toml"); }),
              HasSubstr("; \u201c is no quotation mark here: write \""));
  EXPECT_THAT(refusal([] { return Document::parse("a = \"D\xfc\"\n", "shoe.toml"); }),
              HasSubstr("; save the file as UTF-8"));
}

TEST(Section, ATableThatIsOneIsNotRepeated) {
  const DeckText deck("\n[[basis]]\nmodes = 3\n");
  EXPECT_TRUE(deck.root.section("basis").has_value());
  EXPECT_THAT(deck.problems(), ElementsAre(HasSubstr("basis: must be one table [basis], got [[basis]]")));
}

TEST(Section, FileThatCannotBeReadIsAProblem) {
  EXPECT_EQ(refusal([] { return Document::load("/nonexistent/deck.toml"); }),
            "/nonexistent/deck.toml: cannot be read: No such file or directory");
  EXPECT_EQ(refusal([] { return Document::load("/"); }), "/: cannot be read: is a folder");
}

TEST(Section, LoadKeepsTheTextByteForByte) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "section_load.toml";
  const std::string text = "a = 1\r\n# no line break at the end";
  std::ofstream(file, std::ios::binary) << text;
  Diagnostics diagnostics;
  const Document document = Document::load(file);
  EXPECT_EQ(document.text, text);
  EXPECT_EQ(Section(document, diagnostics).integer("a", kRequired), 1);
  std::filesystem::remove(file);
}

TEST(Section, ColumnsCountCharactersNotBytes) {
  EXPECT_THAT(refusal([] { return Document::parse("x = { é = 1 }\n", "shoe.toml"); }),
              StartsWith("shoe.toml:1:7: "));
  const DeckText quoted("\nx = { \"éé\" = 1, y = true }\n");
  quoted.root.section("x", kRequired).number("y");
  EXPECT_THAT(quoted.problems(), ElementsAre("shoe.toml:1:21: x.y: must be a number, got the boolean true"));
}

// tables

TEST(Section, ArraysOfTablesAndInlineTablesReadAlike) {
  const DeckText deck(R"(
terms = [ { node = "A" }, 3, { node = "B" } ]
[[nodes]]
name = "a"
[[nodes]]
name = "b"
[masses]
mass = 1.0
)");
  const std::vector<Section> nodes = deck.root.sections("nodes", kRequired);
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[1].path(), "nodes[1]");
  EXPECT_EQ(nodes[1].where(), (SourceLocation{"shoe.toml", 4, 1}));
  EXPECT_EQ(nodes[1].string("name", kRequired), "b");
  const std::vector<Section> terms = deck.root.sections("terms");
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[1].pathOf("node"), "terms[2].node");
  EXPECT_THAT(deck.root.sections("masses"), IsEmpty());
  EXPECT_THAT(deck.root.sections("springs"), IsEmpty());
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:1:27: terms[1]: must be a table, got the integer 3",
                          "shoe.toml:6:1: masses: must be an array of tables [[masses]], got a table"));
}

TEST(Section, FreeNamesComeInTheOrderOfTheFile) {
  const DeckText deck(R"(
[materials.steel]
young = 2.0
[materials."a b"]
young = 3.0
typo = 1
[groups]
z = ["n1"]
a = ["n2"]
)");
  const std::vector<NamedSection> materials = deck.root.section("materials", kRequired).namedSections();
  ASSERT_EQ(materials.size(), 2U);
  EXPECT_EQ(materials[0].name.value, "steel");
  EXPECT_EQ(materials[1].section.path(), "materials.\"a b\"");
  for (const NamedSection& material : materials) material.section.number("young", kRequired);
  const Section groups = deck.root.section("groups", kRequired);
  EXPECT_THAT(valuesOf(groups.keys()), ElementsAre("z", "a"));
  deck.root.reportUnreadKeysOfAllSections();
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:5:1: materials.\"a b\".typo: unknown; materials.\"a b\" takes young"));
}

TEST(Section, SectionReadTwiceKeepsOneAccount) {
  const DeckText deck("\n[a]\nx = 1\ny = 2\n");
  deck.root.section("a", kRequired).number("x");
  deck.root.section("a", kRequired).number("y");
  deck.root.reportUnreadKeysOfAllSections();
  EXPECT_THAT(deck.problems(), IsEmpty());
}

TEST(Section, OutlivesTheOneItCameFrom) {
  Diagnostics diagnostics;
  const Document document = Document::parse("[a]\nx = 1\n", "t");
  const Section a = Section(document, diagnostics).section("a", kRequired);
  EXPECT_EQ(a.number("x", kRequired), 1.0);
}

// Contradictory, unsupported and ignored keys.

TEST(Section, ContradictingKeysNameEachOther) {
  const DeckText deck("\n[basis]\nmodes = 2\nall = true\n[other]\n");
  EXPECT_EQ(deck.root.section("basis")->onlyPresentKeyOf({"modes", "frequency_max", "all"}), "modes");
  deck.root.section("other")->onlyPresentKeyOf(kRequired, {"modes", "all"});
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:3:7: basis.all: contradicts `modes` of line 2; give one of modes, "
                          "frequency_max, all",
                          "shoe.toml:4:1: other: one of modes, all is needed"));
}

TEST(Section, UnsupportedKeyIsToldApart) {
  const DeckText deck("\ntype = \"plane\"\nsurface_velocity = [1, 0, 0]\nsurface_spni = 1\n");
  deck.root.string("type");
  deck.root.reportUnsupportedKeys({"surface_velocity", "surface_spin"});
  deck.root.reportUnreadKeys();
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:2:1: surface_velocity: `surface_velocity` is not supported yet",
                          "shoe.toml:3:1: surface_spni: unknown; the deck takes type; did you mean "
                          "`surface_spin`?"));
}

TEST(Section, RestIsIgnoredOnDemand) {
  const DeckText deck("\ntype = \"plane\"\nradius = 1\n");
  deck.root.string("type");
  deck.root.acceptAllFurtherKeys();
  deck.root.reportUnreadKeys();
  EXPECT_THAT(deck.problems(), IsEmpty());
}

TEST(Section, OwnProblemsStandAtTheValue) {
  const DeckText deck("\n[f]\ntimes = [0.0, 2.0,\n 1.0]\n");
  const Section f = *deck.root.section("f");
  f.problem("times", 2, "must not decrease");
  f.problem("values", "must be as long as times");
  f.problem("is empty");
  EXPECT_THAT(deck.problems(),
              ElementsAre("shoe.toml:1:1: f.values: must be as long as times", "shoe.toml:1:1: f: is empty",
                          "shoe.toml:3:2: f.times[2]: must not decrease"));
}

TEST(Section, KindsAreTold) {
  const DeckText deck("\na = 1\nb = 1.0\nc = 'x'\nd = [1]\ne = {}\nf = true\ng = 1979-05-27\n");
  const std::vector<std::pair<std::string, ValueKind>> kinds{
      {"a", ValueKind::integer}, {"b", ValueKind::number}, {"c", ValueKind::string},
      {"d", ValueKind::array},   {"e", ValueKind::table},  {"f", ValueKind::boolean},
      {"g", ValueKind::date},    {"h", ValueKind::absent}};
  for (const auto& [key, kind] : kinds) EXPECT_EQ(deck.root.kind(key), kind) << key;
  deck.root.number("g");
  EXPECT_THAT(deck.problems(), ElementsAre("shoe.toml:7:5: g: must be a number, got the date 1979-05-27"));
}

}  // namespace
}  // namespace ricochet
