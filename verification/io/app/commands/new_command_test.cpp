// `ricochet new`: example decks as a starting point.

#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::readText;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;

std::vector<std::filesystem::path> exampleCases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(RICOCHET_CASES_DIR "/examples"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  return files;
}

/// Case made from a deck that `new` wrote, by activating its checks, which are comments below a sentence of
/// two lines.
std::string deckWithActiveChecks(const std::string& written) {
  const std::size_t sentence =
      written.find("# Checks say what must come out; these hold for the numbers above");
  const std::size_t checks = written.find("# [[checks]]");
  if (sentence == std::string::npos || checks == std::string::npos) return "no checks: " + written;
  EXPECT_EQ(std::count(written.begin() + static_cast<std::ptrdiff_t>(sentence),
                       written.begin() + static_cast<std::ptrdiff_t>(checks), '\n'),
            2);
  std::string text =
      written.substr(0, sentence) +
      "# What comes out with the numbers above; leave these checks out, or give your own, once you "
      "change the numbers.\n";
  std::istringstream lines(written.substr(checks));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.empty() || line.starts_with("# ")) << line;
    text += (line.empty() ? line : line.substr(2)) + "\n";
  }
  return text;
}

TEST(NewCommand, ListsAndWritesEveryExampleAsItIsTested) {
  const ScratchFolder folder;
  const std::string list = folder.ricochet("new").output;
  const std::vector<std::filesystem::path> cases = exampleCases();
  EXPECT_EQ(cases.size(), 10);
  for (const std::filesystem::path& file : cases) {
    const std::string name = file.stem().string(), text = readText(file);
    const std::string subject = text.substr(2, text.find('\n') - 2);
    EXPECT_THAT(list, AllOf(HasSubstr(name + " "), HasSubstr(subject)));
    const CommandOutcome written = folder.ricochet("new " + name);
    EXPECT_EQ(written.status, 0) << written.output;
    EXPECT_EQ(deckWithActiveChecks(readText(folder.path() / (name + ".toml"))), text);
    EXPECT_THAT(text, HasSubstr("ricochet run " + name + ".toml"));
  }
}

TEST(NewCommand, WritesWhereItIsToldADeckThatRuns) {
  const ScratchFolder folder;
  EXPECT_EQ(folder.ricochet("new brake -o mine.toml").status, 0);
  const CommandOutcome run = folder.ricochet("run mine.toml");
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("mine.h5"));
  EXPECT_EQ(folder.ricochet("new brake -o -").output, readText(folder.path() / "mine.toml"));
  // Checks with references for other numbers do not fail a changed deck.
  EXPECT_EQ(folder.ricochet("run -f mine.toml --set masses.0.mass=2.0").status, 0);
}

TEST(NewCommand, ReplacesAFileOnlyByForce) {
  const ScratchFolder folder;
  folder.write("shoe.toml", "mine");
  const CommandOutcome refused = folder.ricochet("new shoe");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("shoe.toml: exists; give --force to replace it"));
  EXPECT_EQ(readText(folder.path() / "shoe.toml"), "mine");
  EXPECT_EQ(folder.ricochet("new shoe --force").status, 0);
  EXPECT_EQ(deckWithActiveChecks(readText(folder.path() / "shoe.toml")),
            readText(RICOCHET_CASES_DIR "/examples/shoe.toml"));
}

TEST(NewCommand, NamesTheNearestDeck) {
  const ScratchFolder folder;
  const CommandOutcome wrong = folder.ricochet("new cantilver");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.output, HasSubstr("did you mean `cantilever`?"));
  const CommandOutcome unlike = folder.ricochet("new zzzzzzzz");
  EXPECT_THAT(unlike.output, AllOf(HasSubstr("there are shoe, tube"), HasSubstr("sphere")));
  EXPECT_EQ(folder.ricochet("new -o here.toml").status, 2);
  EXPECT_EQ(folder.ricochet("new shoe -o nowhere/shoe.toml").status, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace ricochet
