// Notes that `run` prints at its end beside its results.

#include "io/app/runs/run_notes.hpp"

#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

std::string runOf(const std::string& deck, const std::string& options = {}) {
  const ScratchFolder folder;
  folder.write("deck.toml", deck);
  const CommandOutcome outcome = folder.ricochet("run deck.toml " + options);
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  return outcome.output;
}

/// x = 0.004 cos(100 t) between stops at 5 mm: a gap of 1 mm remains.
TEST(RunNotes, SayThatNoContactEverClosed) {
  std::string deck = test::bouncer(0.1);
  deck.replace(deck.find("0.009"), 5, "0.004");
  const char* const note =
      "no contact ever closed: the smallest gap of the rows is 0.001 m, of contact stops";
  EXPECT_THAT(runOf(deck), HasSubstr(note));
  EXPECT_THAT(runOf(deck, "--mode direct"), HasSubstr(note));
  deck.replace(deck.find("0.004"), 5, "0.006");
  EXPECT_THAT(runOf(deck), Not(HasSubstr("ever closed")));
}

/// A mass of 1 kg at 1 m/s penetrates v sqrt(m/k) into a spring k: 0.1 m for 100 N/m, 1 mm for 1e6 N/m.
TEST(RunNotes, SayThatAContactWasPressedInFurtherThanItsGap) {
  const auto falls = [](const std::string& stiffness) {
    return runOf(
        "nodes = [ { name = \"m\", position = [0, 0, 0] } ]\nmasses = [ { nodes = [\"m\"], mass = 1.0 } ]\n"
        "supports = [ { nodes = \"all\", fixed = [\"uy\", \"uz\"] } ]\n[initial]\nvelocity = [ { node = "
        "\"m\", value = "
        "[-1, 0, 0] } ]\n[[contacts]]\nname = \"wall\"\nnode = \"m\"\nobstacle = { type = \"plane\", normal "
        "= [1, 0, "
        "0], gap = 0.01 }\nnormal = { stiffness = " +
        stiffness + " }\n[transient]\nduration = 0.3\n");
  };
  EXPECT_THAT(falls("100"),
              HasSubstr("contact wall was pressed in by 0.1 m, more than the gap of 0.01 m that it "
                        "started with: is its stiffness too small?"));
  EXPECT_THAT(falls("1e6"), Not(HasSubstr("pressed in")));
}

/// 100 N, applied slowly at the tip of a rod of 2e11 x pi/4 x 1e-8 N m^2 and 1 m with a spring of 1e3 N/m:
/// 100/(1e3 + 3 E I/L^3) = 17.5 mm, compared with a radius of 10 mm.
TEST(RunNotes, SayThatAContactWasPressedInFarAgainstTheSection) {
  const auto pressed = [](const std::string& stiffness) {
    return runOf(test::cantilever(4, "theory = \"euler_bernoulli\"\naxis_y = [0, 1, 0]\n") +
                 "[basis]\nall = true\ndamping_ratio = 0.1\n[functions.ramp]\ntimes = [0.0, 5.0]\nvalues = "
                 "[0.0, 1.0]\n"
                 "[[loads]]\nnodes = [\"tip\"]\nforce = [0, -100.0, 0]\nscale = \"ramp\"\n[[contacts]]\nname "
                 "= \"pad\"\n"
                 "node = \"tip\"\nobstacle = { type = \"plane\", normal = [0, 1, 0], gap = 0.0 }\nnormal = { "
                 "stiffness = " +
                 stiffness + " }\n[transient]\nduration = 5.0\n[output]\ninterval = 0.01\n");
  };
  EXPECT_THAT(pressed("1e3"),
              HasSubstr("contact pad was pressed in by 0.0175 m, 175 % of half the depth of its beam"));
  EXPECT_THAT(pressed("1e6"), Not(HasSubstr("pressed in")));
}

TEST(RunNotes, RoundingHasNoDigits) {
  EXPECT_EQ(energyResidualText(0.0), "< 1e-14");
  EXPECT_EQ(energyResidualText(9.9e-15), "< 1e-14");
  EXPECT_EQ(energyResidualText(4.14e-12), "4.1e-12");
}

TEST(RunNotes, ADeckWithoutARunIsToldTheLinesToAdd) {
  const ScratchFolder folder;
  folder.write("still.toml", test::cantilever(2, ""));
  EXPECT_THAT(
      folder.ricochet("run still.toml").output,
      HasSubstr(
          "still.toml:1:1: transient: missing: this deck has nothing to run; add two lines, `[transient]` "
          "and `duration = 0.1` (in s)"));
}

/// Slips take energy; a run of which one gave more than rounding names its contact.
TEST(RunNotes, WarnOfFrictionThatGaveEnergy) {
  Deck deck;
  deck.contacts.resize(2);
  deck.contacts[1].name = "shoe";
  RunSummary summary;
  summary.totals.resize(2);
  for (ContactTotals& totals : summary.totals) totals.impacts = 1;
  summary.report.energy.friction = 2.0;
  summary.totals[1].frictionGain = 1e-12;
  EXPECT_THAT(notesOnFinishedRun(deck, summary), testing::IsEmpty());
  summary.totals[1].frictionGain = 0.25;
  EXPECT_THAT(notesOnFinishedRun(deck, summary),
              testing::ElementsAre(HasSubstr("WARNING: friction gave 0.25 J at contact shoe")));
}

}  // namespace
}  // namespace ricochet
