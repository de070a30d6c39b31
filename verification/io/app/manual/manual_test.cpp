// The text of the manual about a law agrees with the deck reader: keys, ranges, words, defaults.

#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/links/links.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/study/parts/wear_request.hpp"
#include "io/app/manual/deck_schema.hpp"
#include "io/app/manual/deck_tables.hpp"
#include "io/app/manual/law_snippet.hpp"
#include "io/deck/deck.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

using testing::HasSubstr;

/// Outcome of a deck with a snippet: the keyword of its law, or the problems.
struct Reading {
  std::string keyword;
  std::string problems;
  std::vector<DefaultTaken> defaults;
};

std::string keywordIn(const Deck& study, LawKind kind) {
  const auto named = [](const auto& law) { return std::string(law.keyword); };
  switch (kind) {
    case LawKind::obstacle:
      return std::string(obstacleKeyword(study.contacts.at(0).obstacle));
    case LawKind::normal:
      return std::visit(named, study.contacts.at(0).normal);
    case LawKind::friction:
      return std::visit(named, study.contacts.at(0).friction.law);
    case LawKind::wear:
      return std::visit(named, study.contacts.at(0).wear->law);
    case LawKind::link:
      return std::visit(named, study.links.at(0).law);
    case LawKind::scheme:
      return study.transient->scheme;
    case LawKind::table:
      break;
  }
  return {};
}

Reading readSnippet(const LawPage& page, const std::string& snippet) {
  try {
    const Deck study = studyWithSnippet(page.around + snippet);
    // The header names the table that a deck with this snippet has.
    const bool isTable = page.kind == LawKind::table;
    return {isTable ? page.keyword : keywordIn(study, page.kind), "", study.defaults};
  } catch (const InputError& error) {
    return {"", error.what(), {}};
  }
}

/// All tables that are named in examples of a page.
std::string tablesOf(const LawPage& page) {
  std::string tables;
  for (const PageKey& key : page.keys)
    if (!key.tables.empty()) tables += key.tables + "\n";
  return tables;
}

Reading readWith(const LawPage& page, const std::vector<Assignment>& assignments) {
  return readSnippet(page, deckSnippetOf(page, assignments, tablesOf(page)));
}

std::vector<Assignment> withChangedKey(const LawPage& page, const PageKey& key, const std::string& value) {
  std::vector<Assignment> all = assignmentsWithKey(page, key);
  for (Assignment& each : all)
    if (each.first == key.name) each.second = value;
  return all;
}

TEST(Manual, HasAPageForEverythingThatIsListed) {
  std::set<std::string> names;
  for (const LawPage& page : manualPages()) {
    EXPECT_TRUE(names.insert(page.name()).second) << page.name() << " twice";
    EXPECT_FALSE(page.title.empty() || page.formula.empty() || page.source.empty()) << page.name();
    for (const PageKey& key : page.keys)
      EXPECT_FALSE(key.unit.empty() || key.meaning.empty() || key.example.empty())
          << page.name() << " " << key.name;
  }
  EXPECT_EQ(names.size(),
            Obstacles::kSize + CurvedObstacles::kSize + NormalLaws::kSize + FrictionLaws::kSize +
                WearLaws::kSize + LinkLaws::kSize + Integrators::kSize + 1 +  // and event
                structureDeckTables().size() + studyDeckTables().size() + runDeckTables().size());
  std::map<std::string, const LawPage*> byName;
  for (const LawPage& page : manualPages()) byName[page.name()] = &page;
  const auto expectFields = [&byName]<class T>(const std::string& word) {
    const LawPage& page = *byName.at(word + "-" + std::string(T::keyword));
    for (const auto& field : T::numericParameters())
      EXPECT_TRUE(
          std::any_of(page.keys.begin(), page.keys.end(),
                      [&](const PageKey& key) { return key.name == field.name && key.unit == field.unit; }))
          << page.name() << " " << field.name;
  };
  NormalLaws::forEach([&]<class T>() { expectFields.template operator()<T>("normal"); });
  FrictionLaws::forEach([&]<class T>() { expectFields.template operator()<T>("friction"); });
  WearLaws::forEach([&]<class T>() { expectFields.template operator()<T>("wear"); });
  Obstacles::forEach([&]<class T>() { expectFields.template operator()<T>("obstacle"); });
  CurvedObstacles::forEach([&]<class T>() { expectFields.template operator()<T>("obstacle"); });
}

class ManualPage : public testing::TestWithParam<std::size_t> {
 protected:
  const LawPage& page = manualPages()[GetParam()];

  // Examples of tables name files in the current folder.
  static void SetUpTestSuite() {
    before_ = std::filesystem::current_path();
    files_ = new test::ScratchFolder;
    std::filesystem::current_path(files_->path());
    const std::filesystem::path cases = RICOCHET_CASES_DIR, meshes = RICOCHET_DATA_DIR "/meshes";
    std::filesystem::copy_file(meshes / "frame-41.msh", "frame.msh");
    for (const auto& [from, to] :
         {std::pair("coordinate_k.mtx", "k.mtx"), std::pair("coordinate_m.mtx", "m.mtx"),
          std::pair("coordinate_k.mtx", "c.mtx"), std::pair("coordinate_dofs.csv", "dofs.csv"),
          std::pair("positions-system_k.mtx", "node_k.mtx"),
          std::pair("positions-system_m.mtx", "node_m.mtx"), std::pair("positions-system.inp", "places.inp")})
      std::filesystem::copy_file(cases / from, to);
    std::string punched;
    for (const char* name : {"KAAX", "MAAX", "BAAX"})
      punched += fmt::format(
          "DMIG    {0}           0       6       2       0                       2\n"
          "DMIG*   {0}                          11               1\n"
          "*                     11               1 3.000000000D+06\n"
          "DMIG*   {0}                          12               1\n"
          "*                     12               1 3.000000000D+06\n",
          name);
    files_->write("all.pch", punched);
    files_->write("quake.csv", "time, ax\n0, 0\n1, 2\n");
    files_->write("cases.csv", "mass\n1.0\n2.0\n");
    files_->write("earlier.toml",
                  deckWithSnippet("[transient]\nduration = 0.1\nscheme = \"kick_drift\"\nstep = 0.01\n"));
    ASSERT_EQ(files_->ricochet("run -q earlier.toml").status, 0);
  }
  static void TearDownTestSuite() {
    std::filesystem::current_path(before_);
    delete files_;
    files_ = nullptr;
  }
  static inline std::filesystem::path before_;
  static inline test::ScratchFolder* files_{nullptr};

  /// Decks with all keys: the snippet, and the snippet with each further key.
  std::vector<std::vector<Assignment>> snippetVariants() const {
    std::vector<std::vector<Assignment>> all{assignmentsOfPage(page)};
    for (const PageKey& key : page.keys)
      if (!key.shown) all.push_back(assignmentsWithKey(page, key));
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Manual, ManualPage, testing::Range<std::size_t>(0, manualPages().size()),
                         [](const testing::TestParamInfo<std::size_t>& page) {
                           std::string name = manualPages()[page.param].name();
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST_P(ManualPage, SnippetMakesTheLaw) {
  const Reading reading = readSnippet(page, deckSnippetOf(page));
  EXPECT_EQ(reading.problems, "") << deckSnippetOf(page);
  EXPECT_EQ(reading.keyword, page.keyword);
}

TEST_P(ManualPage, EveryKeyShownIsTaken) {
  for (const std::vector<Assignment>& variant : snippetVariants()) {
    const Reading reading = readWith(page, variant);
    EXPECT_EQ(reading.problems, "") << deckSnippetOf(page, variant);
    EXPECT_EQ(reading.keyword, page.keyword) << deckSnippetOf(page, variant);
  }
}

TEST_P(ManualPage, ARequiredKeyIsRequired) {
  for (const PageKey& key : page.keys) {
    if (!key.shown || key.need == Need::optional || key.example == fmt::format("\"{}\"", page.keyword))
      continue;
    std::vector<Assignment> without = assignmentsOfPage(page);
    std::erase_if(without, [&](const Assignment& each) { return each.first == key.name; });
    const Reading reading = readWith(page, without);
    EXPECT_TRUE(!reading.problems.empty() || reading.keyword != page.keyword) << key.name;
  }
}

/// The error of a refused parameter names the key in the deck and, for a law, the law in the deck.
void expectNamesKeyAndLaw(const LawPage& page, const PageKey& key, const std::string& problems) {
  EXPECT_THAT(problems, HasSubstr("." + key.name + ":"));
  if (page.kind == LawKind::obstacle || page.kind == LawKind::scheme || page.kind == LawKind::table) return;
  EXPECT_THAT(problems, HasSubstr(fmt::format("(law \"{}\")", page.keyword))) << key.name;
  for (const LawPage& other : manualPages())
    if (other.kind == page.kind && other.keyword != page.keyword) {
      EXPECT_EQ(problems.find(fmt::format("\"{}\"", other.keyword)), std::string::npos)
          << key.name << problems;
    }
}

TEST_P(ManualPage, RangesAreThoseOfTheReader) {
  for (const PageKey& key : page.keys) {
    char* rest = nullptr;
    std::strtod(key.example.c_str(), &rest);
    // The value is not a single number.
    if (key.example.empty() || *rest != '\0' || key.allowed.empty()) continue;
    const auto bound = [&key](std::string_view sign) -> std::optional<double> {
      const auto at = key.allowed.find(std::string(sign) + " ");
      if (at == std::string::npos) return std::nullopt;
      return std::strtod(key.allowed.c_str() + at + sign.size(), nullptr);
    };
    const auto refused = [&](double value) {
      const std::string problems = readWith(page, withChangedKey(page, key, deckNumber(value))).problems;
      if (!problems.empty()) expectNamesKeyAndLaw(page, key, problems);
      return !problems.empty();
    };
    if (const auto lowest = bound(">=")) {
      EXPECT_TRUE(refused(*lowest - std::max(1.0, std::abs(*lowest)))) << key.name;
    }
    if (const auto above = bound(">")) {
      EXPECT_TRUE(refused(*above)) << key.name;
    }
    if (const auto highest = bound("<=")) {
      EXPECT_TRUE(refused(*highest + 1.0)) << key.name;
      EXPECT_FALSE(refused(*highest)) << key.name;
    }
  }
}

/// "must be one of "a", "b", got .." lists as many words as the page.
TEST_P(ManualPage, WordsAreThoseOfTheReader) {
  for (const PageKey& key : page.keys) {
    if (key.example.front() != '"' || key.allowed.empty() || key.unit != "-") continue;
    const std::string problems = readWith(page, withChangedKey(page, key, "\"zzz\"")).problems;
    const std::string list =
        problems.substr(std::min(problems.find("must be"), problems.size()),
                        problems.find(", got") - std::min(problems.find("must be"), problems.size()));
    std::size_t words = 0;
    for (std::size_t at = 0; at != std::string::npos; ++words) {
      const std::size_t end = key.allowed.find(", ", at);
      EXPECT_THAT(list, HasSubstr(fmt::format("\"{}\"", key.allowed.substr(at, end - at)))) << key.name;
      at = end == std::string::npos ? end : end + 2;
    }
    EXPECT_EQ(static_cast<std::size_t>(std::count(list.begin(), list.end(), '"')), 2 * words) << list;
  }
}

TEST_P(ManualPage, DefaultsAreThoseTaken) {
  const Reading reading = readSnippet(page, deckSnippetOf(page));
  const std::string place =
      page.kind == LawKind::link ? "links[0]." : "contacts[0]." + std::string(wordOfLawKind(page.kind)) + ".";
  const auto isOf = [&](const DefaultTaken& taken, const PageKey& key) {
    if (page.kind != LawKind::table) return taken.path == place + key.name;
    return taken.path.starts_with(page.keyword) && taken.path.ends_with("." + key.name);
  };
  for (const PageKey& key : page.keys) {
    if (key.shown || key.fallback.empty()) continue;
    for (const DefaultTaken& taken : reading.defaults) {
      if (!isOf(taken, key)) continue;
      std::string value = taken.value;
      std::erase(value, '"');
      char* rest = nullptr;
      const double shown = std::strtod(key.fallback.c_str(), &rest);
      if (*rest == '\0')
        EXPECT_EQ(shown, std::strtod(value.c_str(), nullptr)) << key.name;
      else
        EXPECT_THAT(key.fallback, HasSubstr(value)) << key.name;
    }
  }
}

/// Keys listed in the error about an unknown key of a table: "unknown; contacts[0].normal takes a, b".
std::set<std::string> keysListedInError(const LawPage& page, std::vector<Assignment> deck,
                                        const std::string& table) {
  deck.emplace_back(table + "zzzzzzzzzz", "1");
  const std::string problems = readWith(page, deck).problems;
  const std::string sign = table + "zzzzzzzzzz: unknown; ";
  std::set<std::string> asked;
  const std::size_t at = problems.find(sign);
  EXPECT_NE(at, std::string::npos) << problems;
  if (at == std::string::npos) return asked;
  const std::size_t line = problems.find('\n', at);
  std::string list = problems.substr(at, line - at);
  list = list.substr(list.find(" takes ") + 7);
  list = list.substr(0, list.find(';'));
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t end = list.find(", ", begin);
    asked.insert(table + list.substr(begin, end - begin));
    begin = end == std::string::npos ? end : end + 2;
  }
  return asked;
}

/// Example of a key on any page.
std::optional<std::string> exampleOnAnyPage(LawKind kind, const std::string& name) {
  for (const LawPage& page : manualPages())
    for (const PageKey& key : page.keys)
      if (page.kind == kind && key.name == name) return key.example;
  return std::nullopt;
}

TEST_P(ManualPage, AKeyThatIsNotShownIsRefusedOrMakesAnotherLaw) {
  if (page.kind == LawKind::scheme || page.keyword == "transient")
    GTEST_SKIP() << "keys of [transient] are those of all schemes";
  if (assignmentsOfPage(page).empty() && page.kind != LawKind::table)
    GTEST_SKIP() << "it is made by having no keys";
  std::set<std::string> tables{""};
  for (const PageKey& key : page.keys)
    if (const auto dot = key.name.find('.'); dot != std::string::npos)
      tables.insert(key.name.substr(0, dot + 1));
  std::set<std::string> shown;
  for (const PageKey& key : page.keys) shown.insert(key.name);
  for (const std::string& table : tables) shown.insert(table.substr(0, table.find('.')));
  for (const std::vector<Assignment>& variant : snippetVariants())
    for (const std::string& table : tables) {
      const bool isIn = std::ranges::any_of(
          variant, [&table](const Assignment& each) { return each.first.starts_with(table); });
      if (page.kind == LawKind::table && !isIn) continue;  // a sub-table that contradicts others
      for (const std::string& key : keysListedInError(page, variant, table)) {
        if (shown.contains(key)) continue;
        const std::optional<std::string> example = exampleOnAnyPage(page.kind, key);
        std::vector<Assignment> deck = variant;
        deck.emplace_back(key, example.value_or("1"));
        const Reading reading = readWith(page, deck);
        EXPECT_TRUE(!reading.problems.empty() || reading.keyword != page.keyword)
            << key << " is taken but not shown:\n"
            << deckSnippetOf(page, deck);
        // A key that is on no page must belong to a table that only other kinds have.
        EXPECT_TRUE(example || key == "law" || key == "velocity_law" || key == "patch" || key == "carried_by")
            << key;
      }
    }
}

/// A value of a kind of JSON Schema in the syntax of a deck.
const std::map<std::string_view, std::string> kValues{{"number", "0.5"},     {"integer", "1"},
                                                      {"string", "\"zzz\""}, {"boolean", "true"},
                                                      {"array", "[]"},       {"object", "{ zzz = 1 }"}};

/// True if the kind of the value is refused, not the value: "must be a number, got the string "zzz"".
bool isRefused(const std::string& problems, const std::string& value) {
  const std::string got = value == "0.5"         ? "got the number 0.5"
                          : value == "1"         ? "got the integer 1"
                          : value == "[]"        ? "got an array of 0 values"
                          : value == "true"      ? "got true"
                          : value.front() == '{' ? "got a table"
                                                 : "got the string \"zzz\"";
  return problems.find(got) != std::string::npos;
}

TEST_P(ManualPage, KindsOfValuesAreThoseOfTheReader) {
  for (const PageKey& key : page.keys) {
    const std::vector<std::string_view> kinds = valueKindsOfKey(key);
    for (const std::string_view kind : kinds) {
      if (kind == "object" || kind == "array") continue;  // their own keys and lengths would be told instead
      const std::string problems = readWith(page, withChangedKey(page, key, kValues.at(kind))).problems;
      const bool isWord = kind == "string" && (problems.find("must be one of") != std::string::npos ||
                                               problems.find("must be a number or \"") != std::string::npos);
      const bool isWhole = kind == "number" && problems.find("must be an integer") != std::string::npos;
      const bool isOfQuantity = key.meaning.find("; or ") != std::string::npos;  // another quantity takes it
      EXPECT_TRUE(isWord || isWhole || isOfQuantity || !isRefused(problems, kValues.at(kind)))
          << key.name << " " << kind << problems;
    }
    for (const auto& [kind, value] : kValues) {
      if (std::ranges::find(kinds, kind) != kinds.end()) continue;
      if (kind == "integer" && std::ranges::find(kinds, "number") != kinds.end()) continue;  // is a number
      EXPECT_NE(readWith(page, withChangedKey(page, key, value)).problems, "") << key.name << " = " << value;
    }
  }
}

TEST(Manual, SchemaHasEveryTable) {
  const std::string schema = deckSchema();
  for (const LawPage& page : manualPages()) {
    if (page.kind == LawKind::table && page.keyword != "batch.parameters") {
      EXPECT_THAT(schema, HasSubstr(fmt::format("\n    \"{}\": {{", page.keyword)));
    }
    for (const PageKey& key : page.keys)
      EXPECT_THAT(schema, HasSubstr("\"" + key.name.substr(key.name.rfind('.') + 1) + "\": {"))
          << page.name();
  }
}

}  // namespace
}  // namespace ricochet
