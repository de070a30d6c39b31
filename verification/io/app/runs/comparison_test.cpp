#include "engine/study/parts/study.hpp"
#include "io/app/runs/comparison_verdict.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kReleased = std::string("'") + RICOCHET_CASES_DIR + "/sdnd100-c.toml'";

TEST(Compare, PutsBothRunsIntoOneTableAndOneFile) {
  const ScratchFolder folder;
  const CommandOutcome outcome = folder.ricochet("compare " + kReleased + " -o both.h5");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  for (const char* part : {"modal", "direct", "times as long", "displacement      shoe uy", "max difference",
                           "slip_to_stick", "energy_error", "why they differ", "the basis is complete"})
    EXPECT_THAT(outcome.output, HasSubstr(part));

  const H5File file = H5File::open(folder.path() / "both.h5");
  EXPECT_EQ(file.stringAttribute("/", "status"), "complete");
  for (const char* root : {"", "/direct"})
    for (const char* path : {"/physical/displacement", "/contacts/sole/normal_force", "/events/time",
                             "/energy/balance", "/restart/displacement"})
      EXPECT_TRUE(file.exists(std::string(root) + path)) << root << path;
  // In both runs the shoe stops where it stops with rigid friction, within the slip of its elastic stick
  // (1/400 mm).
  const H5Array<double> modal = file.readAny("/physical/displacement");
  const H5Array<double> direct = file.readAny("/direct/physical/displacement");
  EXPECT_NEAR(modal.values[modal.values.size() - 2], 3.535533905932738e-05, 2.5e-6);
  EXPECT_NEAR(direct.values[direct.values.size() - 2], 3.535533905932738e-05, 2.5e-6);

  // The table agrees with the histories: the largest difference of uy at the archived rows is not larger than
  // in the table, and the instants of events are those of the runs.
  const std::vector<std::string> quantity = file.readStrings("/comparison/quantity");
  const std::vector<std::string> where = file.readStrings("/comparison/where");
  const std::vector<double> difference = file.readAny("/comparison/difference").values;
  double ofUy = 0.0;
  for (std::size_t i = 0; i < quantity.size(); ++i)
    if (quantity[i] == "displacement" && where[i] == "shoe uy") ofUy = difference[i];
  EXPECT_GT(ofUy, 1e-8);
  EXPECT_LT(ofUy, 1e-6);
  const std::vector<double> events = file.readAny("/comparison/events/time").values;
  const std::vector<double> ofModal = file.readAny("/events/time").values;
  const std::vector<double> ofDirect = file.readAny("/direct/events/time").values;
  ASSERT_EQ(events.size(), 2 * ofModal.size());
  ASSERT_EQ(ofModal.size(), ofDirect.size());
  for (std::size_t i = 0; i < ofModal.size(); ++i) {
    EXPECT_EQ(events[2 * i], ofModal[i]);
    EXPECT_EQ(events[2 * i + 1], ofDirect[i]);
  }
}

/// Impacts, largest forces and energies of both runs are in two columns, and a sentence concludes the
/// comparison.
TEST(Compare, EndsWithAVerdict) {
  const ScratchFolder folder;
  const CommandOutcome agreed = folder.ricochet("compare " + kReleased + " --quick -o both.h5");
  ASSERT_EQ(agreed.status, 0) << agreed.output;
  EXPECT_THAT(agreed.output, HasSubstr("friction energy [J]"));
  EXPECT_THAT(agreed.output, HasSubstr("verdict: both modes agree"));
  EXPECT_THAT(agreed.output, Not(HasSubstr("why they differ")));
  EXPECT_THAT(H5File::open(folder.path() / "both.h5").stringAttribute("/comparison", "verdict"),
              HasSubstr("both modes agree"));

  // Too long a step: the period of Newmark's method is longer by (w h)^2 / 24.
  folder.write("coarse.toml", R"(
nodes = [ { name = "m", position = [0, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 1.0 } ]
springs = [ { nodes = ["m"], stiffness = [10000, 0, 0] } ]
supports = [ { nodes = "all", fixed = ["uy", "uz"] } ]
[initial]
displacement = [ { node = "m", value = [0.01, 0, 0] } ]
[transient]
duration = 1.0
[direct]
step = 2e-3
)");
  EXPECT_THAT(folder.ricochet("compare coarse.toml").output,
              HasSubstr("most of it by the step of the direct run"));

  // A ball under a harmonic load that strikes a wall: each impact amplifies the difference of the runs.
  folder.write("chaos.toml", R"deck(
nodes = [ { name = "m", position = [0, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 1.0 } ]
springs = [ { nodes = ["m"], stiffness = [100, 0, 0] } ]
dampers = [ { nodes = ["m"], damping = [0.4, 0, 0] } ]
supports = [ { nodes = "all", fixed = ["uy", "uz"] } ]
[functions.shake]
formula = "10*cos(28*t)"
[[loads]]
nodes = ["m"]
force = [1, 0, 0]
scale = "shake"
[[contacts]]
name = "wall"
node = "m"
obstacle = { type = "plane", normal = [-1, 0, 0], gap = 0.001 }
normal = { stiffness = 4e6 }
[transient]
duration = 60.0
[direct]
step = 1e-4
)deck");
  const CommandOutcome chaotic = folder.ricochet("compare chaos.toml --quick");
  ASSERT_EQ(chaotic.status, 0) << chaotic.output;
  EXPECT_THAT(chaotic.output, HasSubstr("verdict: histories part at"));
}

/// Velocities of the nodes of the cantilever in its first mode, in which the tip has `tip` m/s: a basis with
/// this mode leaves out none of them.
std::string velocitiesOfFirstMode(int elements, double tip) {
  constexpr double kRoot = 1.8751040687, kRatio = 0.7340955138;
  std::string list;
  for (int i = 1; i <= elements; ++i) {
    const double x = kRoot * i / elements;
    const double shape = std::cosh(x) - std::cos(x) - kRatio * (std::sinh(x) - std::sin(x));
    const double slope = kRoot * (std::sinh(x) + std::sin(x) - kRatio * (std::cosh(x) - std::cos(x)));
    list += fmt::format("{{ node = \"rod.{}\", value = [0, {:.9g}, 0, 0, 0, {:.9g}] }},\n", i,
                        0.5 * tip * shape, 0.5 * tip * slope);
  }
  return "[initial]\nvelocity = [\n" + list + "]\n";
}

/// A tube struck in its middle with one of many modes: the truncation has an effect at the first impact.
/// After 200 impacts both runs would differ anyway.
TEST(Compare, TellsATruncatedBasisFromChaos) {
  const ScratchFolder folder;
  const auto verdictWith = [&](const std::string& basis) {
    folder.write("tube.toml", test::cantilever(8, "axis_y = [0, 1, 0]\n") + "[basis]\n" + basis + R"deck(
damping_ratio = 0.005
)deck" + velocitiesOfFirstMode(8, -2.0) +
                                  R"deck([[contacts]]
name = "bar"
node = "rod.4"
obstacle = { type = "plane", normal = [0, 1, 0], gap = 0.0005 }
normal = { stiffness = 1e6 }
[transient]
duration = 0.5
[direct]
step = 2e-5
)deck");
    const std::string output = folder.ricochet("compare --quick -f tube.toml").output;
    return output.substr(std::min(output.find("verdict: "), output.size()));
  };
  EXPECT_THAT(
      verdictWith("modes = 4"),
      AllOf(HasSubstr("at the first impact, too early for chaos: the basis is truncated"),
            HasSubstr("of the flexibility of the spring of contact bar"),
            HasSubstr("take [basis] residual = \"contacts\", or more modes"), Not(HasSubstr("initial"))));
  EXPECT_THAT(verdictWith("all = true"), Not(HasSubstr("truncated")));
}

/// A mass on a spring with newmark: a long step increases its period by (w h)^2/24, and gamma = 0.9 damps the
/// motion by the ratio (gamma - 1/2) w h/2, in each run with these settings.
TEST(Compare, TellsTheStepOfTheModalRunAndNumericalDampingFromOtherCauses) {
  const ScratchFolder folder;
  const auto verdictWith = [&](const std::string& run) {
    folder.write("mass.toml", R"(
nodes = [ { name = "m", position = [0, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 1.0 } ]
springs = [ { nodes = ["m"], stiffness = [10000, 0, 0] } ]
supports = [ { nodes = "all", fixed = ["uy", "uz"] } ]
[initial]
displacement = [ { node = "m", value = [0.01, 0, 0] } ]
[transient]
duration = 1.0
)" + run);
    const std::string output = folder.ricochet("compare -f mass.toml").output;
    return output.substr(std::min(output.find("verdict: "), output.size()));
  };
  EXPECT_THAT(verdictWith("scheme = \"newmark\"\nstep = 2e-3\n[direct]\nstep = 2e-5\n"),
              HasSubstr("most of it by the step of the modal run: a quarter of it leaves"));
  EXPECT_THAT(verdictWith("scheme = \"event\"\n[direct]\nstep = 2e-4\ngamma = 0.9\nbeta = 0.5\n"),
              HasSubstr("most of it by the numerical damping of the direct run (newmark with gamma = 0.9)"));
  EXPECT_THAT(
      verdictWith("scheme = \"newmark\"\ngamma = 0.9\nbeta = 0.5\nstep = 2e-4\n[direct]\nstep = 2e-5\n"
                  "gamma = 0.5\nbeta = 0.25\n"),
      HasSubstr("most of it by the numerical damping of the modal run (newmark with gamma = 0.9)"));
}

TEST(Compare, NamesPeakForcesThatAreApartWhereStatisticsAgree) {
  Study study;
  study.contacts.emplace_back();
  study.contacts.back().name = "wall";
  Comparison both;
  both.causes.difference = 0.5;
  both.parting = 0.2;
  both.events.push_back(ComparedEvent{.modal = 0.1, .direct = 0.1});
  both.modal.totals = {{.impacts = 100, .impulse = 2.0, .frictionEnergy = 1.0, .peakForce = 33.0}};
  both.direct.totals = {{.impacts = 100, .impulse = 2.0, .frictionEnergy = 1.0, .peakForce = 26.0}};
  EXPECT_THAT(comparisonVerdictText(study, both),
              HasSubstr("statistics agree within their sampling error; peak forces"));
  EXPECT_THAT(comparisonVerdictText(study, both), HasSubstr("up to 21 % apart: 33 and 26 N of contact wall"));
  EXPECT_THAT(comparisonVerdictText(study, both), HasSubstr("a run with twice the modes"));
  both.completeBasis = true;
  EXPECT_THAT(comparisonVerdictText(study, both), Not(HasSubstr("modes tells")));
  both.causes.numericalDamping = "the direct run (newmark with gamma = 0.9)";
  EXPECT_THAT(comparisonVerdictText(study, both),
              HasSubstr("numerical damping of the direct run (newmark with gamma = 0.9)"));
  both.direct.totals[0].peakForce = 32.0;
  EXPECT_THAT(comparisonVerdictText(study, both), Not(HasSubstr("peak forces")));
}

/// Two equal masses between springs: of the velocity (0.8, 0.6) m/s the first mode has (0.7, 0.7), so that it
/// leaves out a part of sqrt(0.02) = 0.14. The stop is never reached.
TEST(Compare, NamesTheInitialStateThatTheBasisLeavesOut) {
  const ScratchFolder folder;
  folder.write("pair.toml", R"(
nodes = [ { name = "a", position = [0, 0, 0] }, { name = "b", position = [1, 0, 0] } ]
masses = [ { nodes = "all", mass = 1.0 } ]
springs = [ { nodes = ["a"], stiffness = [100, 0, 0] }, { nodes = ["b"], stiffness = [100, 0, 0] },
            { nodes = ["a", "b"], stiffness = [400, 0, 0] } ]
supports = [ { nodes = "all", fixed = ["uy", "uz"] } ]
[basis]
modes = 1
[initial]
velocity = [ { node = "a", value = [0.8, 0, 0] }, { node = "b", value = [0.6, 0, 0] } ]
[[contacts]]
name = "stop"
node = "b"
obstacle = { type = "plane", normal = [-1, 0, 0], gap = 10.0 }
normal = { stiffness = 1e5 }
[transient]
duration = 1.0
scheme = "event"
[direct]
step = 1e-4
)");
  const std::string output = folder.ricochet("compare --quick -f pair.toml").output;
  EXPECT_THAT(output, HasSubstr("warning: the basis leaves out 0.14 of the initial velocity"));
  EXPECT_THAT(output,
              AllOf(HasSubstr("too early for chaos: the basis is truncated. It leaves out 0.14 of the "
                              "initial velocity; take more modes"),
                    Not(HasSubstr("flexibility"))));
}

TEST(Compare, BlamesTheFlexibilityOfContactsThatClosed) {
  Study study;
  for (const char* name : {"far", "near"}) study.contacts.emplace_back().name = name;
  Comparison both;
  both.causes.difference = 0.5;
  both.differing = both.parting = 0.2;
  both.leftOut = {3.0, 0.5};
  both.modal.totals = both.direct.totals = {ContactTotals{}, ContactTotals{.impacts = 1}};
  both.events.push_back(ComparedEvent{.contact = 1, .modal = 0.3, .direct = 0.3});
  EXPECT_THAT(comparisonVerdictText(study, both), Not(HasSubstr("flexibility")));
  both.events[0].modal = 0.1;
  EXPECT_THAT(comparisonVerdictText(study, both),
              HasSubstr("leaves out 0.5 of the flexibility of the spring of contact "
                        "near (the truncation indicator"));
  both.events[0] = {
      .contact = 1, .kind = EventKind::opening, .modal = 0.3, .direct = {}};  // closed from the start
  EXPECT_THAT(comparisonVerdictText(study, both), HasSubstr("contact near"));
}

TEST(Compare, FindsTheOrderOfTheDirectScheme) {
  // A mass on a spring without contacts: Newmark is of second order, and with equal steps the difference
  // vanishes.
  const ScratchFolder folder;
  folder.write("mass.toml", R"(
nodes = [ { name = "m", position = [0, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 2.0 } ]
springs = [ { nodes = ["m"], stiffness = [800, 0, 0] } ]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[initial]
displacement = [ { node = "m", value = [0.01, 0, 0] } ]
[transient]
duration = 1.0
[direct]
step = 2e-3
)");
  ASSERT_EQ(folder.ricochet("compare mass.toml -q").status, 0);
  const H5File file = H5File::open(folder.path() / "mass.h5");
  EXPECT_NEAR(file.numberAttribute("/comparison", "order"), 2.0, 0.02);
  // The period is too long by (omega h)^2 / 12: after 1 s at 20 rad/s the phase lags by 20 (0.04)^2/12.
  const double lag = 20.0 * 0.04 * 0.04 / 12.0;
  const double expected =
      lag / std::sqrt(3.0);  // rms of a lag that grows from zero, relative to the rms of the motion
  EXPECT_NEAR(file.numberAttribute("/comparison", "difference"), expected, 0.05 * expected);
  EXPECT_NEAR(file.numberAttribute("/comparison", "discretisation"), expected, 0.05 * expected);
  EXPECT_NEAR(file.numberAttribute("/comparison", "without_step_error"), expected / 16.0, 0.01 * expected);
}

TEST(Compare, PlotOverlaysBothRuns) {
  const ScratchFolder folder;
  ASSERT_EQ(folder.ricochet("compare " + kReleased + " -o both.h5 -q --quick").status, 0);
  const CommandOutcome plot = folder.ricochet("plot both.h5 'displacement(shoe, ux)' -o both.svg");
  ASSERT_EQ(plot.status, 0) << plot.output;
  const std::string picture = test::readText(folder.path() / "both.svg");
  EXPECT_THAT(picture, HasSubstr("displacement(shoe, ux), modal"));
  EXPECT_THAT(picture, HasSubstr("displacement(shoe, ux), direct"));
}

TEST(Compare, RefusesWhatTheDirectModeCannotFollow) {
  const ScratchFolder folder;
  const CommandOutcome outcome =
      folder.ricochet(std::string("compare '") + RICOCHET_CASES_DIR + "/f01-sdnd106.toml' -o no.h5");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("true stick: give `friction.stiffness`"));
  EXPECT_TRUE(folder.isEmptyExceptFor(""));
}

constexpr const char* kPressed = R"(
nodes = [ { name = "m", position = [0, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 1.0 } ]
springs = [ { nodes = ["m"], stiffness = [0, 0, 100] } ]
[[supports]]
nodes = "all"
fixed = ["ux", "uy"]
[functions.blow]
formula = "FORMULA"
[[loads]]
nodes = ["m"]
force = [0, 0, -1.0]
scale = "blow"
[[contacts]]
name = "floor"
node = "m"
obstacle = { type = "plane", normal = [0, 0, 1], gap = 0.0 }
normal = { stiffness = 1e6, damping = DAMPING }
[transient]
duration = 0.5
[direct]
scheme = "newmark"
step = 1e-3
)";

std::string pressedMassDeck(const std::string& formula, const std::string& damping) {
  std::string deck = std::regex_replace(kPressed, std::regex("FORMULA"), formula);
  return std::regex_replace(deck, std::regex("DAMPING"), damping);
}

TEST(DirectRun, EndsAsFailedWhereNoBalanceIsFound) {
  // The load is infinite at 0.2 s: no step that ends there has a solution.
  const ScratchFolder folder;
  folder.write("blow.toml", pressedMassDeck("if(abs(t - 0.2) < 3e-4, exp(1e4*t), 1)", "0.0"));
  const CommandOutcome outcome = folder.ricochet("run --mode direct blow.toml");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("no balance of the contact forces was found after t = 0.1"));
  EXPECT_THAT(outcome.output, HasSubstr("contact floor is out of balance"));
  const H5File file = H5File::open(folder.path() / "blow.h5");
  EXPECT_EQ(file.stringAttribute("/", "status"), "failed");
  EXPECT_THAT(file.stringAttribute("/", "failure"), HasSubstr("contact floor"));
  const std::vector<double> force = file.readAny("/direct/contacts/floor/normal_force").values;
  ASSERT_GT(force.size(), 190U);
  for (const double each : force) EXPECT_TRUE(std::isfinite(each));
}

/// A ball of 0.5 kg strikes a wall at 1 m/s: d = (5 m v^2/4k)^(2/5) = 0.522 mm, w^2 = 3/2 k sqrt(d)/m, so
/// that a tenth of the largest stable step, 2/w, is 76 us: a sixteenth of the given step is shorter, an
/// eighth is longer.
TEST(ModalRun, SaysThatItHalvedStepsThatWereGiven) {
  const ScratchFolder folder;
  folder.write("wall.toml",
               "[[nodes]]\nname = \"ball\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 0.5\n"
               "[[supports]]\nnodes = \"all\"\nfixed = [\"ux\", \"uy\"]\n"
               "[initial]\nvelocity = [{ node = \"ball\", value = [0, 0, -1] }]\n"
               "[[contacts]]\nname = \"wall\"\nnode = \"ball\"\n"
               "obstacle = { type = \"plane\", normal = [0, 0, 1], gap = 0.01 }\n"
               "normal = { law = \"hertz\", stiffness = 1e8 }\n"
               "[transient]\nduration = 0.03\nscheme = \"kick_drift\"\nstep = 1e-3\n");
  const CommandOutcome outcome = folder.ricochet("run wall.toml");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output,
              testing::ContainsRegex("steps were halved, where a law gets stiffer than at rest"));
  const H5File file = H5File::open(folder.path() / "wall.h5");
  EXPECT_GE(file.integerAttribute("/transient", "steps_halved"), 4);
  EXPECT_NEAR(file.numberAttribute("/transient", "shortest_step"), 1e-3 / 16.0, 1e-12);
}

TEST(DirectRun, SaysWhereItHalvedAStep) {
  // A dashpot that closes just before the end of a step would open the contact again; halved steps have a
  // solution.
  const ScratchFolder folder;
  folder.write("halved.toml", pressedMassDeck("100*(1 + 3*sin(62*pi*t))", "2500.0"));
  const CommandOutcome outcome = folder.ricochet("run --mode direct halved.toml");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, testing::ContainsRegex("halved: no balance of floor was found"));
}

}  // namespace
}  // namespace ricochet
