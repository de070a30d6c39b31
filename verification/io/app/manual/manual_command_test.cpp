// `ricochet manual`: printed and written pages, and refused requests.

#include "io/app/manual/manual.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

TEST(ManualCommand, ListsAllPagesByKind) {
  const ScratchFolder folder;
  const CommandOutcome outcome = folder.ricochet("manual");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  for (const LawPage& page : manualPages()) {
    EXPECT_THAT(outcome.output, HasSubstr("  " + page.keyword + " "));
    EXPECT_THAT(outcome.output, HasSubstr(page.title));
  }
}

TEST(ManualCommand, PrintsAPage) {
  const ScratchFolder folder;
  const CommandOutcome outcome = folder.ricochet("manual hertz");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  for (const char* text : {"N = k d^n", "J. reine angew. Math. 92", "N/m^n", "law = \"hertz\"", "required"})
    EXPECT_THAT(outcome.output, HasSubstr(text));
}

TEST(ManualCommand, ANameOfTwoPagesPrintsBoth) {
  const ScratchFolder folder;
  const CommandOutcome both = folder.ricochet("manual none");
  EXPECT_EQ(both.status, 0);
  EXPECT_THAT(both.output, HasSubstr("obstacle \"none\""));
  EXPECT_THAT(both.output, HasSubstr("friction law \"none\""));
  const CommandOutcome one = folder.ricochet("manual friction-none");
  EXPECT_THAT(one.output, HasSubstr("friction law \"none\""));
  EXPECT_THAT(one.output, testing::Not(HasSubstr("obstacle \"none\"")));
}

/// The tables that the program prints equal those of the page of the quantities.
TEST(ManualCommand, PrintsTheQuantitiesAsTheirPageHasThem) {
  const ScratchFolder folder;
  const CommandOutcome outcome = folder.ricochet("manual quantities");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const std::filesystem::path root = std::filesystem::path(RICOCHET_CASES_DIR).parent_path().parent_path();
  EXPECT_THAT(test::readText(root / "io/quantities/QUANTITIES.md"), HasSubstr(outcome.output));
  for (const char* text : {"| displacement | m, rad | `displacement(NODE, DOF)` |",
                           "`tangential_force(CONTACT, 1\\|2)`", "| `at(HISTORY, T)` |"})
    EXPECT_THAT(outcome.output, HasSubstr(text));
}

TEST(ManualCommand, AnUnknownNameIsAnErrorWithTheNearest) {
  const ScratchFolder folder;
  const CommandOutcome outcome = folder.ricochet("manual hunt_crosley");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("hunt_crosley: no page"));
  EXPECT_THAT(outcome.output, HasSubstr("did you mean hunt_crossley?"));
  EXPECT_EQ(folder.ricochet("manual hertz -o pages").status, 2);
  EXPECT_TRUE(folder.isEmptyExceptFor(""));
}

TEST(ManualCommand, WritesPagesPicturesAndAnIndex) {
  if (test::runShell("gnuplot --version").status != 0) GTEST_SKIP() << "no gnuplot";
  const ScratchFolder folder;
  const CommandOutcome outcome = folder.ricochet("manual --output pages");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const std::filesystem::path pages = folder.path() / "pages";
  const std::string index = test::readText(pages / "index.md");
  for (const LawPage& page : manualPages()) {
    EXPECT_THAT(index, HasSubstr("](" + page.name() + ".md)"));
    const std::string text = test::readText(pages / (page.name() + ".md"));
    EXPECT_THAT(text, HasSubstr(page.formula));
    EXPECT_THAT(text, HasSubstr(page.source));
    for (const PageKey& key : page.keys) EXPECT_THAT(text, HasSubstr("| `" + key.name + "` | "));
    for (const LawPicture& picture : picturesOfLaw(page)) {
      EXPECT_THAT(text, HasSubstr("](" + nameOfPictureFile(page, picture) + ")"));
      const std::string drawn = test::readText(pages / nameOfPictureFile(page, picture));
      EXPECT_THAT(drawn, HasSubstr("<svg")) << nameOfPictureFile(page, picture);
      EXPECT_THAT(drawn, HasSubstr("</svg>")) << nameOfPictureFile(page, picture);
    }
  }
}

TEST(ManualCommand, SaysSoWithoutGnuplotAndWritesNothing) {
  const ScratchFolder folder;
  const CommandOutcome outcome = test::runShell("cd '" + folder.path().string() +
                                                "' && PATH=/nowhere '" RICOCHET_PROGRAM "' manual -o pages");
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("gnuplot"));
  EXPECT_TRUE(folder.isEmptyExceptFor(""));
}

TEST(ManualCommand, RefusesAFolderThatCannotBe) {
  if (test::runShell("gnuplot --version").status != 0) GTEST_SKIP() << "no gnuplot";
  const ScratchFolder folder;
  folder.write("pages", "my notes");
  EXPECT_EQ(folder.ricochet("manual -o pages").status, 2);
  EXPECT_EQ(test::readText(folder.path() / "pages"), "my notes");
}

}  // namespace
}  // namespace ricochet
