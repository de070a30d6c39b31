// Output files of commands beside `run` and `batch`, and files that commands must not change.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
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
  // 100000 instants of 6 components and their times are 5.6 MB.
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
  EXPECT_THAT(outcome.output, HasSubstr("deck.toml: is a deck; give what is written another name"));
  EXPECT_EQ(test::readText(folder.path() / "deck.toml"), test::bouncer(0.01));
  folder.write("other.csv", "omega,L\n");
  EXPECT_THAT(folder.ricochet(patch + "other.csv").output,
              HasSubstr("other.csv: is there and is no table of patch"));
}

/// A result never replaces a pipe, or a device such as /dev/null, even with --force.
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

/// A folder with a deck and its result, in which commands are refused.
class OwnOutputs : public ::testing::Test {
 protected:
  OwnOutputs() {
    folder_.write("deck.toml", test::bouncer(0.01));
    EXPECT_EQ(folder_.ricochet("run deck.toml -q").status, 0);
  }
  /// A command is refused for a reason, and leaves a file as it was.
  void refused(const std::string& command, const std::string& file, const std::string& why) {
    const std::string before = test::readText(folder_.path() / file);
    const CommandOutcome outcome = folder_.ricochet(command);
    EXPECT_EQ(outcome.status, 2) << command << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(file + ": " + why)) << command;
    EXPECT_TRUE(test::readText(folder_.path() / file) == before) << command;
  }
  void done(const std::string& command) {
    const CommandOutcome outcome = folder_.ricochet(command);
    EXPECT_EQ(outcome.status, 0) << command << outcome.output;
  }
  ScratchFolder folder_;
};

/// Commands that write a file, up to its name.
constexpr std::array kWriters{"run deck.toml -q -f -o ",
                              "run deck.toml -q -f --mode direct -o ",
                              "compare deck.toml -q -f --quick -o ",
                              "restore deck.h5 -q -f -o ",
                              "table deck.h5 \"displacement(ball, ux)\" -f -o ",
                              "report deck.h5 -q -f -o ",
                              "plot deck.h5 \"displacement(ball, ux)\" -f -o "};

TEST_F(OwnOutputs, ForceReplacesNeitherADeckNorAForeignFile) {
  folder_.write("other.toml", test::bouncer(0.02));
  folder_.write("other.svg", test::bouncer(0.02));
  folder_.write("notes.svg", "<svg>my drawing</svg>\n");
  folder_.write("measured.svg", "time [s],acceleration [m/s^2]\n0,1\n");
  H5File::create(folder_.path() / "mesh.svg", Existing::refuse, Journal::none).setAttribute("/", "mine", 1.0);
  fs::create_symlink("other.svg", folder_.path() / "link.svg");
  fs::create_directory(folder_.path() / "sub");
  for (const std::string writer : kWriters) {
    refused(writer + "other.toml", "other.toml", "is a deck; give what is written another name");
    refused(writer + "sub/../other.svg", "other.svg", "is a deck");
    refused(writer + "link.svg", "link.svg", "is a deck");
    for (const std::string foreign : {"notes.svg", "measured.svg", "mesh.svg"})
      refused(writer + foreign, foreign, "is there and is no ");
  }
}

TEST_F(OwnOutputs, ForceReplacesWhatTheSameCommandWrote) {
  for (std::size_t i = 0; i < kWriters.size(); ++i)
    for (int time = 0; time < 2; ++time) done(fmt::format("{}own{}.svg", kWriters[i], i));
  for (const std::string each : {"new shoe -f -o ", "schema -f -o "})
    for (int time = 0; time < 2; ++time) done(each + each.substr(0, 3));
  folder_.write("empty.svg", "");
  done(kWriters.front() + std::string("empty.svg"));
}

TEST_F(OwnOutputs, ForceReplacesADamagedResult) {
  const std::string whole = test::readText(folder_.path() / "deck.h5");
  folder_.write("cut.h5", whole.substr(0, whole.size() / 2));
  refused("run deck.toml -q -o cut.h5", "cut.h5", "is a damaged result; give --force to replace it");
  done("run deck.toml -q -f -o cut.h5");
}

TEST_F(OwnOutputs, NoDeckTakesThePlaceOfAnotherFile) {
  folder_.write("notes", "my notes");
  const std::string deck = test::readText(folder_.path() / "deck.toml");
  for (const std::string writer : {"new shoe -f -o ", "upgrade deck.toml -f -o ", "schema -f -o "})
    refused(writer + "notes", "notes", "is there and is no ");
  refused("upgrade deck.toml -f -o deck.toml", "deck.toml", "is the deck itself");
  refused("schema -f -o deck.toml", "deck.toml", "is a deck");
  refused("new shoe -f -o deck.h5", "deck.h5", "is there and is no deck");
}

TEST_F(OwnOutputs, NoXdmfTakesThePlaceOfItsHistories) {
  for (const std::string same : {"k.xdmf", "./k.xdmf"}) {
    const CommandOutcome outcome = folder_.ricochet("restore deck.h5 -q --xdmf -f -o " + same);
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("would be the histories and their .xdmf at once; give -o another"));
    EXPECT_FALSE(fs::exists(folder_.path() / same));
  }
  fs::create_symlink("m.h5", folder_.path() / "m.xdmf");
  EXPECT_EQ(folder_.ricochet("restore deck.h5 -q --xdmf -f -o m.h5").status, 2);
  EXPECT_FALSE(fs::exists(folder_.path() / "m.h5"));
  done("restore deck.h5 -q --xdmf -o k.h5");
  done("restore deck.h5 -q --xdmf -f -o k.h5");
  EXPECT_EQ(H5File::open(folder_.path() / "k.h5").stringAttribute("/", "status"), "complete");
  EXPECT_THAT(test::readText(folder_.path() / "k.xdmf"), HasSubstr("<Xdmf "));
}

TEST_F(OwnOutputs, NoXdmfTakesThePlaceOfAnInput) {
  folder_.write("z.xdmf", test::bouncer(0.01));
  done("run z.xdmf -q");
  refused("restore z.h5 -q --xdmf -f -o z.foo", "z.xdmf", "is a deck");
  EXPECT_FALSE(fs::exists(folder_.path() / "z.foo"));
  folder_.write("pull.xdmf", "t, f\n0, 0\n1, 1\n");
  folder_.write("y.toml",
                test::bouncer(0.01,
                              "[functions.pull]\nfile = \"pull.xdmf\"\ncolumns = [\"t\", \"f\"]\n"
                              "[[loads]]\nnodes = [\"ball\"]\nforce = [1, 0, 0]\nscale = \"pull\"\n"));
  done("run y.toml -q");
  refused("restore y.h5 -q --xdmf -f -o pull.h5", "pull.xdmf", "is read by the deck");
  // what is made of restored histories spares the files of the run too
  done("restore y.h5 -q");
  refused("table y-restored.h5 \"displacement(ball, ux)\" -f -o pull.xdmf", "pull.xdmf",
          "is read by the deck");
  refused("report y-restored.h5 -q -f -o y.h5", "y.h5", "is the result that was restored");
  const CommandOutcome elsewhere =
      test::runShell("cd '" + folder_.path().string() +
                     "' && mkdir other && cd other && '" RICOCHET_PROGRAM
                     "' table ../y-restored.h5 \"displacement(ball, ux)\" -f -o ../pull.xdmf");
  EXPECT_EQ(elsewhere.status, 2) << elsewhere.output;
  folder_.write("y.h5", "no result any more");
  done("table y-restored.h5 \"displacement(ball, ux)\" -f -o new.csv");
}

TEST_F(OwnOutputs, NothingTakesThePlaceOfTheTableOfABatch) {
  folder_.write("cases.csv", "mass\n1.0\n2.0\n");
  folder_.write("batch.toml", test::bouncer(0.01,
                                            "[batch]\nmethod = \"table\"\nfile = \"cases.csv\"\n"
                                            "[batch.parameters]\n\"masses.0.mass\" = { column = \"mass\" }\n"
                                            "[batch.outputs]\npeak = \"max(displacement(ball, ux))\"\n"));
  done("batch batch.toml -q");
  fs::create_hard_link(folder_.path() / "cases.csv", folder_.path() / "linked.csv");
  for (const std::string writer :
       {"table batch.h5 -f -o ", "report batch.h5 -q -f -o ", "plot --batch batch.h5 peak -f -o "})
    for (const std::string table : {"cases.csv", "linked.csv"})
      refused(writer + table, table, "is read by the deck");
  for (int time = 0; time < 2; ++time) done("table batch.h5 -f -o own.csv");
  folder_.write("other", test::bouncer(0.02));
  refused("batch batch.toml -q -f -o other", "other", "is a deck");
}

TEST_F(OwnOutputs, WhatIsNoResultAndNoJournalStaysBesideAResult) {
  folder_.write("x.h5.partial.journal", "my journal of the test");
  folder_.write("notes", "my notes");
  fs::create_symlink("notes", folder_.path() / "y.h5.partial.journal");
  for (const std::string writer : {"run deck.toml -q -f -o ", "run deck.toml -q --resume -o ",
                                   "compare deck.toml -q --quick -o ", "restore deck.h5 -q -f -o "})
    for (const std::string result : {"x.h5", "y.h5"}) {
      refused(writer + result, result + ".partial.journal", "is there and is no journal of a result");
      EXPECT_FALSE(fs::exists(folder_.path() / (result + ".partial")));
    }
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "y.h5.partial.journal"));
  H5File::create(folder_.path() / "z.h5.partial", Existing::refuse, Journal::none)
      .setAttribute("/", "mine", 1.0);
  refused("run deck.toml -q -f -o z.h5", "z.h5.partial", "is there and is no result");
}

TEST_F(OwnOutputs, ACurveOfAPatchIsReplacedByForceOnly) {
  const std::string patch = "patch --shape ring --models exact pade --points 5 ";
  folder_.write("drawing.svg", "<svg>my drawing</svg>\n");
  refused(patch + "-f -o drawing.svg", "drawing.svg", "is there and is no picture of gnuplot");
  done(patch + "-o ring.svg");
  refused(patch + "-o ring.svg", "ring.svg", "exists; give --force to replace it");
  done(patch + "-f -o ring.svg");
  EXPECT_EQ(folder_.ricochet(patch + "--csv both.svg -o ./both.svg").status, 2);
  EXPECT_FALSE(fs::exists(folder_.path() / "both.svg"));
}

/// Where names that differ in case are two files, both are written.
TEST_F(OwnOutputs, NamesThatDifferInCaseAreWhatTheFileSystemMakesOfThem) {
  folder_.write("case", "of a letter");
  if (fs::exists(folder_.path() / "CASE")) GTEST_SKIP() << "this file system ignores the case of letters";
  done("restore deck.h5 -q --xdmf -o some.XDMF");
  EXPECT_TRUE(fs::exists(folder_.path() / "some.XDMF"));
  EXPECT_TRUE(fs::exists(folder_.path() / "some.xdmf"));
  EXPECT_EQ(folder_.ricochet("restore deck.h5 -q -f --xdmf -o some.xdmf").status, 2);
}

TEST_F(OwnOutputs, TheManualReplacesAManualOnly) {
  folder_.write("index.md", "# My pages\n");
  refused("manual -o .", "index.md", "is there and is no index of the manual");
  fs::create_directory(folder_.path() / "pages");
  folder_.write("pages/tutorial.md", "# My way\n");
  refused("manual -o pages", "pages/tutorial.md", "is there, and its folder holds no manual");
  folder_.write("pages/ricochet-run.1", ".TH OTHER 1\n");
  refused("manual --man pages", "pages/ricochet-run.1", "is there and is no man page of ricochet");
  EXPECT_FALSE(fs::exists(folder_.path() / "pages" / "ricochet.1"));
  for (int time = 0; time < 2; ++time) done("manual --man man");
}

}  // namespace
}  // namespace ricochet
