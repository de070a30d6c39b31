// Files that commands beside `run` and `batch` write, and those that they must leave alone.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

TEST(Target, RestoringOnAFullDiskSaysSoAndBeginsAnewByItself) {
  const ScratchFolder folder;
  std::string deck = test::bouncer(2.0);
  folder.write("deck.toml", deck.replace(deck.find("every = 100"), 11, "every = 2"));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  // 100000 instants of 6 components and their times are 5.6 MB
  const CommandOutcome full =
      test::runShell("cd '" + folder.path().string() +
                     "' && bash -c \"ulimit -f 3000; exec '" RICOCHET_PROGRAM "' restore deck.h5 -q\"");
  EXPECT_EQ(full.status, 1) << full.output;
  EXPECT_THAT(full.output, HasSubstr("File too large"));
  EXPECT_FALSE(fs::exists(folder.path() / "deck-restored.h5"));
  const CommandOutcome again = folder.ricochet("restore deck.h5 -q");
  EXPECT_EQ(again.status, 0) << again.output;
  const H5File restored = H5File::open(folder.path() / "deck-restored.h5");
  EXPECT_EQ(restored.stringAttribute("/", "status"), "complete");
  EXPECT_EQ(restored.shape("/physical/time").front(), 100001U);
  EXPECT_FALSE(fs::exists(folder.path() / "deck-restored.h5.partial.journal"));
}

TEST(Target, RestoringKeepsWhatARunLeft) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  fs::copy_file(folder.path() / "deck.h5", folder.path() / "out.h5.partial");
  const CommandOutcome kept = folder.ricochet("restore deck.h5 -q -o out.h5");
  EXPECT_EQ(kept.status, 2);
  EXPECT_THAT(kept.output, HasSubstr("out.h5.partial: holds unfinished results"));
}

TEST(Target, NoPictureTakesThePlaceOfTheResult) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o deck.svg").status, 0);
  const std::string before = test::readText(folder.path() / "deck.svg");
  for (const char* command : {"plot deck.svg", "plot deck.svg -o ./deck.svg", "plot --batch deck.svg"}) {
    const CommandOutcome outcome = folder.ricochet(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.output, HasSubstr("deck.svg: is the result itself"));
    EXPECT_TRUE(test::readText(folder.path() / "deck.svg") == before) << command;
  }
}

TEST(Target, ATableOfAPatchReplacesATableOnly) {
  const ScratchFolder folder;
  const std::string patch = "patch --shape ring --models exact pade --points 5 --csv ";
  EXPECT_EQ(folder.ricochet(patch + "ring.csv").status, 0);
  EXPECT_EQ(folder.ricochet(patch + "ring.csv").status, 0);
  folder.write("deck.toml", test::bouncer(0.01));
  const CommandOutcome outcome = folder.ricochet(patch + "deck.toml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("deck.toml: is there and is no table of patch"));
  EXPECT_EQ(test::readText(folder.path() / "deck.toml"), test::bouncer(0.01));
}

/// A pipe, or a device such as /dev/null, is not replaced by a result, even by force.
TEST(Target, NoResultTakesThePlaceOfAPipe) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(test::runShell("mkfifo '" + (folder.path() / "pipe").string() + "'").status, 0);
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  for (const char* command : {"run deck.toml -q -f -o pipe", "restore deck.h5 -q -f -o pipe"}) {
    const CommandOutcome outcome = folder.ricochet(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.output, HasSubstr("pipe: is no plain file"));
    EXPECT_TRUE(fs::is_fifo(folder.path() / "pipe")) << command;
  }
}

TEST(Target, NothingMadeOfAResultTakesThePlaceOfWhatTheDeckReads) {
  const ScratchFolder folder;
  folder.write("pull.csv", "t, f\n0, 0\n1, 1\n");
  folder.write("deck.toml",
               test::bouncer(0.01,
                             "[functions.pull]\nfile = \"pull.csv\"\ncolumns = [\"t\", \"f\"]\n"
                             "[[loads]]\nnodes = [\"ball\"]\nforce = [1, 0, 0]\nscale = \"pull\"\n"));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  const std::string deck = test::readText(folder.path() / "deck.toml");
  const std::string table = test::readText(folder.path() / "pull.csv");
  for (const std::string target : {"deck.toml", "pull.csv"})
    for (const std::string command :
         {"report deck.h5 -f -q -o ", "table deck.h5 \"displacement(ball, ux)\" -f -o ",
          "restore deck.h5 -f -q -o "})
      EXPECT_EQ(folder.ricochet(command + target).status, 2) << command + target;
  EXPECT_EQ(test::readText(folder.path() / "deck.toml"), deck);
  EXPECT_EQ(test::readText(folder.path() / "pull.csv"), table);
}

}  // namespace
}  // namespace ricochet
