// Output of `check` and `run` before a run: estimates, and advice about unusual decks.

#include "io/app/runs/run_advice.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"
#include "io/result/archive_size.hpp"
#include "io/toml/document.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RunAdvice : public testing::Test {
 protected:
  std::string adviceOnDeck(const std::string& deck) {
    folder_.write("deck.toml", deck);
    const CommandOutcome outcome = folder_.ricochet("check deck.toml");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return outcome.output;
  }
  ScratchFolder folder_;
};

const std::string kEnd = "[transient]\nduration = 0.1\n";
const std::string kClamped = test::cantilever(4, "axis_y = [0, 1, 0]\n");

TEST_F(RunAdvice, SaysNothingOfAnOrdinaryDeck) {
  EXPECT_THAT(adviceOnDeck(kClamped + kEnd), Not(HasSubstr("look at")));
  EXPECT_THAT(adviceOnDeck(test::bouncer(0.1)), Not(HasSubstr("look at")));
}

TEST_F(RunAdvice, LoadsOnWhatSupportsHold) {
  const auto pushed = [&](const std::string& node) {
    return adviceOnDeck(kClamped + kEnd + "[[loads]]\nnodes = [\"" + node + "\"]\nforce = [0, 0, 5]\n");
  };
  EXPECT_THAT(pushed("root"), HasSubstr("look at   loads[0]: acts only on what supports hold"));
  EXPECT_THAT(pushed("tip"), Not(HasSubstr("look at")));
}

/// A load without components, unless a batch gives it one.
TEST_F(RunAdvice, LoadsThatAreZero) {
  const std::string load = "[[loads]]\nnodes = [\"tip\"]\nforce = [0, 0, 0]\n";
  EXPECT_THAT(adviceOnDeck(kClamped + load + kEnd),
              HasSubstr("look at   loads[0]: all its components are zero"));
  const std::string batch =
      "[batch]\nmethod = \"grid\"\n[batch.parameters]\n\"loads.0.force.2\" = { values = [1.0, 2.0] }\n"
      "[batch.outputs]\nhighest = \"max(displacement(tip, uz))\"\n";
  EXPECT_THAT(adviceOnDeck(kClamped + load + kEnd + batch), Not(HasSubstr("look at")));
}

TEST_F(RunAdvice, AFrictionCoefficientInPercent) {
  const auto rubbed = [&](const std::string& friction) {
    return adviceOnDeck(
        kClamped + kEnd +
        "[[contacts]]\nname = \"pad\"\nnode = \"tip\"\nobstacle = { type = \"none\", normal = "
        "[0, 0, 1], surface_velocity = [0.0, 1.0, 0.0] }\nnormal = { force = 2.0 }\nfriction = " +
        friction + "\n");
  };
  const char* const high =
      "look at   contact pad: a friction coefficient of 30: dry surfaces have less than 2";
  EXPECT_THAT(rubbed("{ coefficient = 30, stiffness = 1e5 }"), HasSubstr(high));
  EXPECT_THAT(rubbed("{ static = 30, dynamic = 0.3, stiffness = 1e5 }"), HasSubstr(high));
  EXPECT_THAT(rubbed("{ velocity_law = { speeds = [0, 1], coefficients = [0.5, 30] }, stiffness = 1e5 }"),
              HasSubstr(high));
  EXPECT_THAT(rubbed("{ coefficient = 1.2, stiffness = 1e5 }"), Not(HasSubstr("look at")));
}

/// A node that only a spring ties to a mass has none; an imposed force has no gap.
TEST_F(RunAdvice, TellsTheMassAndTheGapOfAContact) {
  const std::string deck =
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"foot\"\nposition = [0.2, 0, 0]\n"
      "[[masses]]\nnodes = [\"m\"]\nmass = 3.0\n[[springs]]\nnodes = [\"m\"]\nstiffness = [1e3, 1e3, 1e3]\n"
      "[[springs]]\nnodes = [\"m\", \"foot\"]\nstiffness = [1e3, 1e3, 1e3]\n";
  const auto rubbedAt = [&](const std::string& node, const std::string& obstacle, const std::string& normal) {
    return adviceOnDeck(deck + "[[contacts]]\nname = \"pad\"\nnode = \"" + node +
                        "\"\nobstacle = { type = \"" + obstacle + "\", normal = [1, 0, 0]" +
                        (obstacle == "none" ? "" : ", gap = 0.1") + " }\nnormal = { " + normal + " }\n" +
                        kEnd);
  };
  EXPECT_THAT(rubbedAt("m", "none", "force = 2.0"),
              AllOf(HasSubstr("starts closed: normal force 2 N along"), Not(HasSubstr("gap ")),
                    HasSubstr("mass of the node: 3 kg along the normal, 3 kg and 3 kg along")));
  EXPECT_THAT(rubbedAt("foot", "none", "force = 2.0"),
              HasSubstr("mass of the node: 0 kg along the normal, 0 kg and 0 kg along the tangents"));
  EXPECT_THAT(rubbedAt("m", "plane", "stiffness = 1e4"), HasSubstr("starts open: gap 0.1 m, normal force 0"));
}

TEST_F(RunAdvice, EstimatesRowsAndSize) {
  // 0.1 s with steps of 1e-5 s and every 100th step.
  EXPECT_THAT(adviceOnDeck(test::bouncer(0.1)), HasSubstr("archives about 101 rows"));
}

/// The estimated time includes the rows of a scheme with step control, by the steps of a trial run.
TEST_F(RunAdvice, CountsRowsOfChosenSteps) {
  const auto rowsOf = [&](const std::string& every, double steps) {
    std::string deck = test::bouncer(0.1);
    deck.replace(deck.find("every = 100"), 11, every);
    const std::size_t scheme = deck.find("scheme = ");
    deck.replace(scheme, deck.find('\n', scheme) - scheme, "scheme = \"rk54\"");
    const Deck study = readDeck(folder_.write("deck.toml", deck));
    return estimateArchiveSizeOfSteps(study, *prepare(study), steps).rows;
  };
  EXPECT_EQ(rowsOf("every = 100", 1e6), 10001U);
  EXPECT_EQ(rowsOf("every = 1", 1e6), 1000001U);
  EXPECT_EQ(rowsOf("interval = 0.01", 1e6), 11U);
  EXPECT_EQ(rowsOf("", 1e9), 1000000U);  // no more than a million where none is asked for
}

TEST_F(RunAdvice, ADampingRatioInPercent) {
  EXPECT_THAT(adviceOnDeck(kClamped + "[basis]\nmodes = 3\ndamping_ratio = 2.0\n" + kEnd),
              HasSubstr("look at   the damping ratio of mode 1"));
}

TEST_F(RunAdvice, LoadsAndBasesWithoutSupports) {
  const std::string flying =
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n";
  const std::string gravity = "[gravity]\nacceleration = [0, 0, -9.81]\n";
  const std::string floor =
      "[[contacts]]\nname = \"floor\"\nnode = \"m\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap "
      "= 0.1 "
      "}\nnormal = { stiffness = 1e6 }\n";
  EXPECT_THAT(adviceOnDeck(flying + gravity + kEnd), HasSubstr("look at   loads push along a rigid motion"));
  EXPECT_THAT(adviceOnDeck(flying + gravity + floor + kEnd), Not(HasSubstr("rigid motion")));
  EXPECT_THAT(adviceOnDeck(flying + kEnd), Not(HasSubstr("rigid motion")));
  const std::string shaken =
      "[functions.quake]\nformula = \"sin(10*t)\"\n[[base_motions]]\ndirection = [1, 0, 0]\nacceleration = "
      "\"quake\"\n";
  EXPECT_THAT(adviceOnDeck(flying + shaken + kEnd),
              HasSubstr("look at   the motion of the base or the loads push"));
}

/// A rod without supports, and variants for which the missing supports are no mistake.
TEST_F(RunAdvice, BeamsThatNothingButContactsHold) {
  std::string loose = kClamped;
  const std::size_t support = loose.find("[[supports]]");
  loose.erase(support, loose.find("[[beams]]") - support);
  const std::string stop =
      "[[contacts]]\nname = \"stop\"\nnode = \"tip\"\nobstacle = { type = \"circle\", axis = [1, 0, 0], gap "
      "= 0.001 "
      "}\nnormal = { stiffness = 1e6 }\n";
  const char* const forgotten =
      "look at   no [[supports]], and no spring or link to the ground: nothing but contacts holds the "
      "structure in its 6 "
      "rigid motions; is a [[supports]] missing, such as nodes = [\"root\"], fixed = \"all\"?";
  EXPECT_THAT(adviceOnDeck(loose + stop + kEnd), HasSubstr(forgotten));
  EXPECT_THAT(adviceOnDeck(loose + kEnd), Not(HasSubstr("[[supports]]")));
  EXPECT_THAT(adviceOnDeck(kClamped + stop + kEnd), Not(HasSubstr("[[supports]]")));
  const std::string plane = "[[supports]]\nnodes = \"all\"\nfixed = [\"uz\", \"rx\", \"ry\"]\n";
  EXPECT_THAT(adviceOnDeck(loose + plane + stop + kEnd), HasSubstr("in its 3 rigid motions"));
  const std::string spring = "[[springs]]\nnodes = [\"root\"]\nstiffness = [0, 1e4, 0]\n";
  EXPECT_THAT(adviceOnDeck(loose + spring + stop + kEnd), Not(HasSubstr("[[supports]]")));
  // A ball that falls on a floor needs no support.
  const std::string ball =
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n[gravity]\n"
      "acceleration = [0, 0, -9.81]\n[[contacts]]\nname = \"floor\"\nnode = \"m\"\nobstacle = { type = "
      "\"plane\", "
      "normal = [0, 0, 1], gap = 0.1 }\nnormal = { stiffness = 1e6 }\n";
  EXPECT_THAT(adviceOnDeck(ball + kEnd), Not(HasSubstr("look at")));
}

TEST_F(RunAdvice, UnitsThatDoNotBelongTogether) {
  const auto with = [](const std::string& young, const std::string& density, const std::string& more = {}) {
    std::string deck = kClamped + more + kEnd;
    deck.replace(deck.find("2e11"), 4, young);
    return deck.replace(deck.find("7800"), 4, density);
  };
  EXPECT_THAT(adviceOnDeck(with("2.1e5", "7800")), HasSubstr("do not seem to belong to one system"));
  EXPECT_THAT(adviceOnDeck(with("2.1e11", "7.8e-9")), HasSubstr("do not seem to belong to one system"));
  EXPECT_THAT(adviceOnDeck(with("2.1e5", "7.8e-9")), HasSubstr("look like a system of mm"));
  EXPECT_THAT(adviceOnDeck(with("2.1e11", "7800", "[gravity]\nacceleration = [0, 0, -9810]\n")),
              HasSubstr("gravity of 9810 is of another system of units"));
  EXPECT_THAT(adviceOnDeck(with("1e7", "1100")), Not(HasSubstr("look at")));  // rubber
}

TEST_F(RunAdvice, RowsFurtherApartThanAnImpactLasts) {
  // Half a period: pi sqrt(2 / 1e5) s = 14 ms.
  std::string deck = test::bouncer(1.0);
  deck.replace(deck.find("every = 100"), 11, "interval = 0.02");
  EXPECT_THAT(adviceOnDeck(deck),
              HasSubstr("rows are 0.02 s apart, and an impact on contact stops can be over in 0.014 s"));
  deck.replace(deck.find("0.02\n"), 5, "0.01\n");
  EXPECT_THAT(adviceOnDeck(deck), Not(HasSubstr("apart")));
}

/// Numbers near 1e12 are 2^-13 = 1.2e-4 apart, so that a gap of 5e-4 has no correct digit; along y nothing is
/// lost.
TEST_F(RunAdvice, GapsLostInFarCoordinates) {
  const auto with = [](const std::string& position, const std::string& gap) {
    return "[[nodes]]\nname = \"a\"\nposition = " + position +
           "\n[[masses]]\nnodes = [\"a\"]\nmass = 1.0\n[[springs]]\nnodes = [\"a\"]\nstiffness = [1e4, 0, "
           "0]\n[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[[contacts]]\nname = \"c\"\nnode = "
           "\"a\"\nobstacle = { type = \"plane\", normal = [-1, 0, 0], gap = " +
           gap + " }\nnormal = { stiffness = 1e6 }\n" + kEnd;
  };
  EXPECT_THAT(adviceOnDeck(with("[1e12, 0, 0]", "5e-4")),
              HasSubstr("the gap of contact c at the start, 0.0004883 m, is a difference of coordinates that "
                        "double precision resolves to 0.0004 m here"));
  EXPECT_THAT(adviceOnDeck(with("[1e6, 0, 0]", "1e-5")), HasSubstr("count positions from an origin near"));
  for (const char* gap : {"5e-4", "0.0"}) {
    EXPECT_THAT(adviceOnDeck(with("[0, 1e12, 0]", gap)), Not(HasSubstr("coordinates")));
    EXPECT_THAT(adviceOnDeck(with("[100.0, 7, 3]", gap)), Not(HasSubstr("coordinates")));
  }
  EXPECT_THAT(adviceOnDeck(with("[1e12, 0, 0]", "0.0")), Not(HasSubstr("coordinates")));
}

TEST_F(RunAdvice, ARotorThatRubsWithoutItsSpin) {
  const std::string contact =
      "[[contacts]]\nname = \"seal\"\nnode = \"tip\"\nobstacle = { type = \"circle\", axis = [1, 0, 0], gap "
      "= 0.001";
  const std::string laws =
      " }\nnormal = { stiffness = 1e6 }\nfriction = { coefficient = 0.2, stiffness = 1e6 }\n";
  const std::string rotor = test::cantilever(4, "spin = 300.0\n");
  EXPECT_THAT(adviceOnDeck(rotor + contact + laws + kEnd),
              HasSubstr("look at   contact seal: its node spins"));
  EXPECT_THAT(adviceOnDeck(rotor + contact + laws + kEnd),
              HasSubstr("whose `gap` is the clearance c, -W R/(R + c)"));
  EXPECT_THAT(adviceOnDeck(rotor + contact + ", surface_spin = -300.0" + laws + kEnd),
              Not(HasSubstr("spins, but")));
  // The slip of a rolling contact includes the rotation of its node.
  const std::string rolls = laws + "rolling_radius = 0.02\n";
  EXPECT_THAT(adviceOnDeck(rotor + contact + rolls + kEnd), HasSubstr("its node spins, but turns from rest"));
  const std::string turning = "[initial]\nvelocity = [{ node = \"tip\", value = [0, 0, 0, 300.0, 0, 0] }]\n";
  EXPECT_THAT(adviceOnDeck(rotor + contact + rolls + turning + kEnd), Not(HasSubstr("spins, but")));
  // A velocity of a fixed rotation would be refused.
  const std::string fixed = "[[supports]]\nnodes = [\"tip\"]\nfixed = [\"rx\"]\n";
  EXPECT_THAT(adviceOnDeck(rotor + fixed + contact + rolls + kEnd),
              AllOf(HasSubstr("a support fixes its rotation"), HasSubstr("leave out `rolling_radius`"),
                    Not(HasSubstr("`initial.velocity`"))));
}

/// Without [output] a long run keeps a million rows: one row per three steps of 1e-8 s over 0.03 s.
TEST_F(RunAdvice, ARunThatAsksForNoRowsKeepsAMillion) {
  std::string deck = test::bouncer(0.03);
  deck.erase(deck.find("[output]"));
  deck.replace(deck.find("1.0e-5"), 6, "1.0e-8");
  EXPECT_THAT(adviceOnDeck(deck), HasSubstr("archives about 1000000 rows"));
  EXPECT_THAT(adviceOnDeck(deck), HasSubstr("a row every 3 steps"));
}

/// Rows of 50 nodes with 18 values each, and ten million of them at 1e-7 s: 74 GB, of which a gigabyte is
/// kept.
TEST_F(RunAdvice, ARunThatAsksForNoRowsKeepsAGigabyte) {
  const std::string deck = test::cantilever(49, "axis_y = [0, 1, 0]\n") + "[transient]\nduration = 1.0\n";
  const Deck study = readDeck("many.toml", Document::parse(deck, "many.toml"));
  const auto direct = prepareDirectSimulation(study);
  direct->step = 1e-7;
  const ArchiveSize size = estimateArchiveSize(study, *direct);
  EXPECT_GE(size.rowSize, 50u * 18u);
  EXPECT_LE(size.bytes(), 1.001e9);
  EXPECT_GE(size.bytes(), 0.9e9);
  EXPECT_EQ(stepsPerRow(study, *direct),
            static_cast<int>(std::ceil(1e7 / (1e9 / (8.0 * static_cast<double>(size.rowSize))))));
  const std::vector<std::string> texts = estimateTextsOfRun(study, *direct);
  EXPECT_THAT(texts.front(), HasSubstr(" MB (a row every "));
  EXPECT_THAT(texts.front(),
              HasSubstr("more than 1e6 rows or 1 GB only where [output] asks for them by `every` or"));
  Deck asks = study;
  asks.output.every = 1;
  EXPECT_EQ(stepsPerRow(asks, *direct), 1);
  EXPECT_THAT(estimateTextsOfRun(asks, *direct).front(), HasSubstr(" GB"));
}

/// The steps of a scheme with step control are counted during the run.
TEST_F(RunAdvice, ARunThatChoosesItsStepsKeepsAMillionRowsToo) {
  std::string deck = test::bouncer(0.03);
  deck.erase(deck.find("[output]"));
  deck.replace(deck.find("kick_drift"), 10, "rk54");
  EXPECT_THAT(adviceOnDeck(deck), HasSubstr("no more than 1e6 rows where [output] asks for none"));
  EXPECT_THAT(adviceOnDeck(deck + "[output]\nevery = 1\n"), Not(HasSubstr("1e6 rows")));
}

}  // namespace
}  // namespace ricochet
