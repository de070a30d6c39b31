#include "io/deck/deck.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

/// The first lines of each deck of `bad_decks` list all of its problems:
///
///     # expect: LINE:COLUMN: path: text
///
/// The text is the beginning of the problem; " ... " in it stands for any text.
struct Expected {
  std::string place;  ///< "12:8"
  std::string path;   ///< empty for a deck that is not TOML
  std::string text;
};

std::vector<std::filesystem::path> badDecks() {
  std::vector<std::filesystem::path> decks;
  for (const auto& entry : std::filesystem::directory_iterator(RICOCHET_CASES_DIR "/../bad_decks"))
    if (entry.path().extension() == ".toml") decks.push_back(entry.path());
  std::sort(decks.begin(), decks.end());
  return decks;
}

std::vector<Expected> expectedProblems(const std::filesystem::path& deck) {
  constexpr std::string_view kMark = "# expect: ";
  std::vector<Expected> expected;
  std::ifstream stream(deck);
  for (std::string line; std::getline(stream, line) && line.rfind(kMark, 0) == 0;) {
    const std::string rest = line.substr(kMark.size());
    const std::size_t place = rest.find(": ");
    const std::size_t path = rest.find(": ", place + 2);
    Expected problem;
    problem.place = rest.substr(0, place);
    problem.path = rest.substr(place + 2, path - place - 2);
    problem.text = rest.substr(path + 2);
    expected.push_back(std::move(problem));
  }
  return expected;
}

std::vector<InputProblem> problemsOf(const std::filesystem::path& deck) {
  try {
    readDeck(deck);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

bool textMatches(std::string_view pattern, std::string_view text) {
  constexpr std::string_view kAnything = " ... ";
  std::size_t from = 0;
  for (bool isFirst = true;; isFirst = false) {
    const std::size_t gap = pattern.find(kAnything);
    const std::size_t found = text.find(pattern.substr(0, gap), from);
    if (found == std::string_view::npos || (isFirst && found != 0)) return false;
    if (gap == std::string_view::npos) return true;
    from = found + gap;
    pattern.remove_prefix(gap + kAnything.size());
  }
}

bool matchesExpected(const Expected& expected, const InputProblem& problem) {
  const std::string place = std::to_string(problem.where.line) + ":" + std::to_string(problem.where.column);
  return place == expected.place && problem.path == expected.path &&
         textMatches(expected.text, problem.problem);
}

TEST(BadDecks, AreManyAndSayWhatIsWrong) {
  const std::vector<std::filesystem::path> decks = badDecks();
  EXPECT_GE(decks.size(), 40U);
  for (const std::filesystem::path& deck : decks) EXPECT_FALSE(expectedProblems(deck).empty()) << deck;
}

TEST(BadDecks, EachProblemIsToldAtItsPlaceAndNoOther) {
  for (const std::filesystem::path& deck : badDecks()) {
    SCOPED_TRACE(deck.filename().string());
    const std::vector<Expected> expected = expectedProblems(deck);
    const std::vector<InputProblem> problems = problemsOf(deck);
    EXPECT_EQ(problems.size(), expected.size());
    for (const Expected& e : expected) {
      const auto isThis = [&e](const InputProblem& p) { return matchesExpected(e, p); };
      EXPECT_EQ(std::count_if(problems.begin(), problems.end(), isThis), 1)
          << "not told: " << e.place << ": " << e.path << ": " << e.text;
    }
    for (const InputProblem& p : problems) {
      const auto isThis = [&p](const Expected& e) { return matchesExpected(e, p); };
      EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), isThis)) << "told: " << p.text();
    }
  }
}

TEST(BadDecks, AFileThatIsNotThereIsAProblemOfTheFile) {
  const std::vector<InputProblem> problems = problemsOf("no/such/deck.toml");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems.front().where, (SourceLocation{"no/such/deck.toml", 0, 0}));
  EXPECT_EQ(problems.front().problem, "cannot be read: No such file or directory");
}

}  // namespace
}  // namespace ricochet
