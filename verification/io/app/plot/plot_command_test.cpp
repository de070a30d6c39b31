// `ricochet plot`: input of gnuplot; a picture is either complete or absent.

#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

/// Two masses on springs; the name of the second contains a comma and a parenthesis.
const std::string kTwo =
    "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"b, right (x)\"\nposition = [1, 0, "
    "0]\n"
    "[groups]\ntip = [\"b, right (x)\"]\nboth = [\"a\", \"b, right (x)\"]\n"
    "[[masses]]\nnodes = \"all\"\nmass = 1.0\n"
    "[[springs]]\nnodes = [\"a\"]\nstiffness = [100, 400, 0]\n"
    "[[springs]]\nnodes = [\"b, right (x)\"]\nstiffness = [100, 0, 0]\n"
    "[[supports]]\nnodes = \"all\"\nfixed = [\"uz\"]\n"
    "[[supports]]\nnodes = [\"b, right (x)\"]\nfixed = [\"uy\"]\n"
    "[initial]\ndisplacement = [ { node = \"a\", value = [0.01, 0.02, 0] }, { node = \"b, right (x)\", value "
    "= [0.02, 0, 0] } ]\n"
    "[transient]\nduration = 2.0\n[output]\ninterval = 0.01\n";

class PlotCommand : public ::testing::Test {
 protected:
  PlotCommand() {
    folder_.write("two.toml", kTwo);
    const CommandOutcome run = folder_.ricochet("run two.toml -q");
    EXPECT_EQ(run.status, 0) << run.output;
  }
  bool hasGnuplot() const { return test::runShell("command -v gnuplot").status == 0; }

  /// Input of gnuplot, recorded by a replacement of gnuplot that stores its input and fails.
  std::string commandsOf(const std::string& arguments) const {
    folder_.write("gnuplot", "#!/bin/sh\ncat > told\nexit 1\n");
    fs::permissions(folder_.path() / "gnuplot", fs::perms::owner_all);
    const CommandOutcome plot = test::runShell(fmt::format(
        "cd '{}' && PATH=\"$PWD:$PATH\" '" RICOCHET_PROGRAM "' plot {}", folder_.path().string(), arguments));
    EXPECT_EQ(plot.status, 2) << plot.output;
    return test::readText(folder_.path() / "told");
  }

  ScratchFolder folder_;
};

TEST_F(PlotCommand, LeavesThePictureThatIsThereWhenItFails) {
  if (!hasGnuplot()) GTEST_SKIP() << "no gnuplot";
  ASSERT_EQ(folder_.ricochet("plot two.h5 -o k.svg").status, 0);
  const std::string before = test::readText(folder_.path() / "k.svg");
  EXPECT_THAT(before, HasSubstr("</svg>"));
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const CommandOutcome outcome = folder_.ricochet("plot two.h5 -f -o k.svg " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.output, HasSubstr(why));
    EXPECT_EQ(test::readText(folder_.path() / "k.svg"), before) << arguments;
  };
  refused("--from 7 --to 8", "it goes from 0 s to 2 s");
  refused("--from 1.5 --to 0.5", "--from 1.5 s is after --to 0.5 s");
  refused("'gap(stop)'", "gap(stop): no contact \"stop\"");
  commandsOf("two.h5 -f -o k.svg");
  EXPECT_EQ(test::readText(folder_.path() / "k.svg"), before);
  EXPECT_FALSE(fs::exists(folder_.path() / "k.svg.partial"));
}

TEST_F(PlotCommand, RefusesAPlaceThatCannotBeWritten) {
  const CommandOutcome nowhere = folder_.ricochet("plot two.h5 -o no/such/x.svg");
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_EQ(nowhere.output, "ricochet: no/such: there is no such folder; make it first\n");
  const CommandOutcome tooLong = folder_.ricochet("plot two.h5 -o " + std::string(300, 'x') + ".svg");
  EXPECT_EQ(tooLong.status, 2);
  EXPECT_THAT(tooLong.output, HasSubstr("this name is too long by "));
  const CommandOutcome empty = folder_.ricochet("plot two.h5 -o ''");
  EXPECT_EQ(empty.status, 2);
}

TEST_F(PlotCommand, SaysThatTheDiskIsFull) {
  if (!hasGnuplot()) GTEST_SKIP() << "no gnuplot";
  const std::string old = "<svg><desc>Produced by GNUPLOT</desc></svg>";
  folder_.write("k.svg", old);
  for (const int limit : {1, 16}) {  // limit of a file [KiB]: less than the commands, less than the picture
    const CommandOutcome full = test::runShell(fmt::format(
        "cd '{}' && bash -c \"ulimit -f {}; exec '" RICOCHET_PROGRAM "' plot two.h5 -f -o k.svg\"",
        folder_.path().string(), limit));
    EXPECT_EQ(full.status, 1) << full.output;
    EXPECT_THAT(full.output, HasSubstr("is the disk full?"));
    EXPECT_EQ(test::readText(folder_.path() / "k.svg"), old);
    EXPECT_FALSE(fs::exists(folder_.path() / "k.svg.partial"));
  }
}

TEST_F(PlotCommand, TakesNamesWithCommasAndGroupsOfOneNode) {
  const std::string one = commandsOf("two.h5 'displacement(b, right (x), ux)' -o x.svg");
  EXPECT_THAT(one, HasSubstr("title 'displacement(b, right (x), ux)'"));
  EXPECT_THAT(one, HasSubstr("\n0 0.02\n"));
  EXPECT_THAT(commandsOf("two.h5 'displacement(tip, ux)' -o x.svg"), HasSubstr("\n0 0.02\n"));
  EXPECT_THAT(commandsOf("two.h5 -o x.svg"), HasSubstr("'displacement(b, right (x), ux)'"));
  const CommandOutcome two = folder_.ricochet("plot two.h5 'displacement(both, ux)'");
  EXPECT_EQ(two.status, 2);
  EXPECT_THAT(two.output, HasSubstr("both: is a group of 2 nodes"));
}

TEST_F(PlotCommand, GivesEachUnitAPanelOfItsOwn) {
  const std::string one = commandsOf("two.h5 'displacement(a, ux)' 'displacement(a, uy)' -o x.svg");
  EXPECT_THAT(one, HasSubstr("set multiplot layout 1,1"));
  EXPECT_THAT(one, HasSubstr("set ylabel 'displacement [m]'"));
  const std::string three =
      commandsOf("two.h5 'displacement(a, ux)' 'velocity(a, ux)' 'displacement(a, uy)' -o x.svg");
  EXPECT_THAT(three, HasSubstr("set multiplot layout 2,1"));
  EXPECT_THAT(three, HasSubstr("set ylabel 'displacement [m]'"));
  EXPECT_THAT(three, HasSubstr("set ylabel 'velocity [m/s]'"));
}

TEST_F(PlotCommand, DrawsTranslationsBeforeRotations) {
  // Node a rotates by 0.5 rad, and no displacement exceeds 0.02 m.
  std::string deck = kTwo;
  const auto change = [&](const std::string& from, const std::string& to) {
    deck.replace(deck.find(from), from.size(), to);
  };
  change("mass = 1.0", "mass = 1.0\ninertia = [1, 1, 1, 0, 0, 0]");
  change("[100, 400, 0]", "[100, 400, 0, 0, 0, 9]");
  change("[0.01, 0.02, 0]", "[0.01, 0.02, 0, 0, 0, 0.5]");
  folder_.write("turns.toml", deck);
  ASSERT_EQ(folder_.ricochet("run turns.toml -q").status, 0);
  const std::string told = commandsOf("turns.h5 -o x.svg");
  EXPECT_LT(told.find("'displacement(a, ux)'"), told.find("'displacement(a, rz)'"));
  EXPECT_LT(told.find("'displacement(a, rz)'"), told.size());
}

TEST_F(PlotCommand, SaysHowToGetAHistoryThatTheResultDoesNotHold) {
  folder_.write("one.toml", kTwo + "nodes = [\"b, right (x)\"]\n");
  ASSERT_EQ(folder_.ricochet("run one.toml -q").status, 0);
  const CommandOutcome other = folder_.ricochet("plot one.h5 'displacement(a, ux)'");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.output, HasSubstr("`ricochet restore RESULT --nodes a` writes a file that does"));
  EXPECT_THAT(folder_.ricochet("plot one.h5 'displacement(c, ux)'").output, HasSubstr("no node \"c\""));
}

TEST_F(PlotCommand, ShowsOrbitsInTheirShape) {
  EXPECT_THAT(commandsOf("two.h5 'displacement(a, uy)' -x 'displacement(a, ux)' -o x.svg"),
              HasSubstr("set ylabel 'displacement(a, uy) [m]'"));
  EXPECT_THAT(commandsOf("two.h5 'displacement(a, uy)' -x 'displacement(a, ux)' -o x.svg"),
              HasSubstr("set lmargin at screen"));
  EXPECT_THAT(commandsOf("two.h5 'velocity(a, ux)' -x 'displacement(a, ux)' -o x.svg"),
              Not(HasSubstr("set lmargin at screen")));
  // A straight line stays straight, in a range whose height is a quarter of its width.
  const std::string line = commandsOf("two.h5 'displacement(a, uz)' -x 'displacement(a, ux)' -o x.svg");
  const std::size_t range = line.find("set yrange [");
  ASSERT_NE(range, std::string::npos);
  EXPECT_NEAR(std::stod(line.substr(range + 12)), -0.0025, 1e-5);
}

TEST_F(PlotCommand, TellsWhatIsNoResult) {
  for (const char* command : {"plot", "plot --batch", "restore"}) {
    const CommandOutcome deck = folder_.ricochet(std::string(command) + " two.toml");
    EXPECT_EQ(deck.status, 2) << command;
    EXPECT_THAT(deck.output, HasSubstr("two.toml: is a deck, and a result is asked for")) << command;
    const CommandOutcome folder = folder_.ricochet(std::string(command) + " .");
    EXPECT_EQ(folder.status, 2) << command;
    EXPECT_EQ(folder_.ricochet(std::string(command) + " " + std::string(300, 'x')).status, 2) << command;
  }
}

TEST_F(PlotCommand, DrawsTheMapOfAGridInCells) {
  folder_.write("map.toml", kTwo +
                                "[batch]\nmethod = \"grid\"\n[batch.parameters]\n"
                                "\"masses.0.mass\" = { from = 1.0, to = 3.0, count = 3 }\n"
                                "\"springs.0.stiffness.0\" = { from = 100, to = 200, count = 2 }\n"
                                "[batch.outputs]\npeak = \"max(displacement(a, ux))\"\n");
  ASSERT_EQ(folder_.ricochet("batch -q map.toml -o map.h5").status, 0);
  const std::string told = commandsOf("--batch map.h5 -o map.svg");
  EXPECT_THAT(told, HasSubstr("with boxxyerror"));
  // The cells of the middle of three masses and of the smaller of two stiffnesses extend half way to the
  // neighbours.
  EXPECT_THAT(told, HasSubstr("\n2 100 1.5 2.5 50 150 "));
}

}  // namespace
}  // namespace ricochet
