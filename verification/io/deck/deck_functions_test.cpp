#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::kTwoNodes;
using test::studyOf;

const std::string kLoadAndForce = R"(
[[loads]]
nodes = "a"
force = [1.0, 0.0, 0.0]
scale = "f"
[[contacts]]
name = "sole"
node = "b"
obstacle = { type = "none", normal = [0, 0, 1] }
normal = { force = "f" }
[transient]
duration = 1.0
)";

/// The function f of a deck that refers to f twice.
TimeFunction functionOf(const std::string& keys) {
  const Deck study = studyOf(kTwoNodes + ("[functions.f]\n" + keys) + kLoadAndForce);
  for (const double t : {0.0, 0.3, 1.0})
    EXPECT_EQ(study.contacts.at(0).imposedForce.at(t), study.loads.at(0).scale.at(t));
  return study.loads.at(0).scale;
}

/// Like `functionOf`, with a file of this text.
TimeFunction fileFunctionOf(const std::string& text, const std::string& keys) {
  const test::ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "data");
  folder.write("data/quake.csv", text);
  const std::string function = "[functions.f]\nfile = \"data/quake.csv\"\n" + keys;
  return readDeck(folder.write("study.toml", kTwoNodes + function + kLoadAndForce)).loads.at(0).scale;
}

TEST(DeckFunctions, FormulaScalesLoadsAndNormalForces) {
  const TimeFunction f = functionOf("formula = \"100*sin(2*pi*20*t)\"\n");
  EXPECT_EQ(f.at(0.003), 100.0 * std::sin(2.0 * std::numbers::pi * 20.0 * 0.003));
  ASSERT_NE(f.formulaOrNull(), nullptr);
  EXPECT_TRUE(f.breakpoints().empty());
}

TEST(DeckFunctions, FormulaMayBeWrittenOnSeveralLines) {
  EXPECT_EQ(functionOf("formula = '''\n  if(t < 0.2,\n     3000,\n     0)'''\n").at(0.1), 3000.0);
}

TEST(DeckFunctions, FileIsATable) {
  const TimeFunction f = fileFunctionOf("time,ax,ay\n0.0,1.0,9.0\n0.5,2.0,9.0\n0.5,4.0,9.0\n1.0,3.0,9.0\n",
                                        "columns = [\"time\", \"ax\"]\n");
  EXPECT_EQ(f.at(0.25), 1.5);
  EXPECT_EQ(f.valueJustBefore(0.5), 2.0);
  EXPECT_EQ(f.at(0.5), 4.0);
  EXPECT_EQ(f.at(1.0), 3.0);
  EXPECT_FALSE(f.isDefined(0.0, 1.1));
}

TEST(DeckFunctions, FileEndsAsItsKeysSay) {
  const TimeFunction f =
      fileFunctionOf("time ax\n0.5 1.0\n0.7 2.0\n",
                     "columns = [\"time\", \"ax\"]\nbefore = \"zero\"\nafter = \"constant\"\n");
  EXPECT_EQ(f.at(0.0), 0.0);
  EXPECT_EQ(f.at(9.0), 2.0);
}

TEST(DeckFunctions, FileIsSeparatedBySemicolonsCommasOrBlanks) {
  const std::array<std::string, 7> texts{"ax;time\n10;0\n30;1\n",
                                         "\"ax\",\"time\"\n\"10\",\"0\"\n\"30\",\"1\"\n",
                                         "ax,time\n10,0\n30,1\n",
                                         "  ax   time\n  1.0e1 0 \n\t30\t1\n",
                                         "# a record\n\n\"ax\", \"time\"  # names\n10, 0\n# a gap\n+30, 1\n",
                                         "ax;time\r\n10;0\r\n30;1\r\n",
                                         "\xEF\xBB\xBF"
                                         "ax;time\n10;0\n30;1"};
  for (const std::string& text : texts) {
    const TimeFunction f = fileFunctionOf(text, "columns = [\"time\", \"ax\"]\n");
    EXPECT_EQ(f.at(0.5), 20.0) << text;
  }
  // Names with blanks between tabs; exponents in the form of Fortran.
  const TimeFunction tabs = fileFunctionOf("ax of base\ttime [s]\t\n1.0D+1\t0\t\n30\t1\t\n",
                                           "columns = [\"time [s]\", \"ax of base\"]\n");
  EXPECT_EQ(tabs.at(0.5), 20.0);
}

TEST(DeckFunctions, FileMayHaveSeparatorsInsideQuotes) {
  const std::string keys = "columns = [\"time [s]\", \"displacement(a#1, ux) [m]\"]\n";
  EXPECT_EQ(fileFunctionOf("time [s],\"displacement(a#1, ux) [m]\"\n0,10\n1,30\n", keys).at(0.5), 20.0);
  EXPECT_EQ(fileFunctionOf("time [s];\"displacement(a#1, ux) [m]\";\"a; b\"\n0;10;1\n1;30;1\n", keys).at(0.5),
            20.0);
  EXPECT_EQ(
      fileFunctionOf("time,\"a \"\"b\"\", c\"\n0,10\n1,30\n", "columns = [\"time\", 'a \"b\", c']\n").at(0.5),
      20.0);
}

TEST(DeckFunctions, FileMistakesNameTheFileAndTheLine) {
  const test::ScratchFolder folder;
  folder.write("quake.csv", "time,ax\n0.0,1.0\n0.1,big\n");
  const auto deck = folder.write("study.toml", std::string(kTwoNodes) +
                                                   "[functions.f]\nfile = \"quake.csv\"\n"
                                                   "columns = [\"time\", \"ax\"]\n");
  try {
    readDeck(deck);
    FAIL() << "the file was taken";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems()[0].text(),
              (folder.path() / "quake.csv").string() +
                  ":3:5: functions.f.file: ax must be a finite number, got \"big\"");
  }
}

/// True if all numbers of a result are finite.
void expectNumbers(const H5File& file, const std::vector<std::string>& datasets) {
  for (const std::string& dataset : datasets)
    for (const double x : file.readAny<double>(dataset).values) ASSERT_TRUE(std::isfinite(x)) << dataset;
}

/// A part of the run without a value, in which no sample before the run lies.
TEST(DeckFunctions, ARunStopsWhereAFormulaIsNoNumber) {
  for (const std::string scheme : {"kick_drift", "central_difference", "symplectic_euler"}) {
    const test::ScratchFolder folder;
    const std::string run = R"deck(
[functions.f]
formula = "sqrt((t - 0.5) * (t - 0.5012))"
[[loads]]
nodes = "a"
force = [1.0, 0.0, 0.0]
scale = "f"
[basis]
all = true
[transient]
duration = 1.0
step = 0.001
scheme = )deck";
    folder.write("study.toml", kTwoNodes + run + "\"" + scheme + "\"\n");
    const test::CommandOutcome outcome = folder.ricochet("run study.toml");
    EXPECT_EQ(outcome.status, 1) << outcome.output;
    const H5File file = H5File::open(folder.path() / "study.h5");
    EXPECT_EQ(file.stringAttribute("/", "status"), "failed");
    EXPECT_THAT(file.stringAttribute("/", "failure"), testing::HasSubstr("became infinite after t = 0.5 s"));
    EXPECT_GT(file.shape("/physical/time").front(), 400U);
    expectNumbers(file, {"/transient/acceleration", "/physical/displacement", "/physical/velocity",
                         "/physical/acceleration", "/energy/kinetic", "/energy/external", "/energy/balance"});
  }
}

}  // namespace
}  // namespace ricochet
