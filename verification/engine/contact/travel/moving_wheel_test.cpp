// Wheels that travel along a beam: the bridge of moving_load_test.cpp under its own weight, crossed by 150 kg
// on a spring of 1e6 N/m with a dashpot of 2400 N s/m that pushes only. Expected: exact modes and the wheel
// by SciPy (DOP853, tolerance 3e-14, with events where the wheel touches and lets go).

#include "engine/contact/travel/contact_way.hpp"
#include "io/prepare/prepare.hpp"
#include "io/text/input_error.hpp"
#include "physical/sparse.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::distance;
using test::studyOf;
using test::StudyOutcome;

constexpr const char* kCrossing = R"deck(
[[nodes]]
name = "left"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "right"
position = [12.0, 0.0, 0.0]
[[nodes]]
name = "car"
position = [0.0, 0.5, 0.0]
[[masses]]
nodes = ["car"]
mass = 150.0
[materials.light]
young = 2.0e11
poisson = 0.25
density = 5000.0
[sections.deck]
type = "general"
area = 0.01
iy = 1.5e-5
iz = 1.5e-5
torsion = 3.0e-5
[[beams]]
name = "bridge"
nodes = ["left", "right"]
elements = {0}
material = "light"
section = "deck"
theory = "euler_bernoulli"
[[supports]]
nodes = "all"
fixed = ["ux", "uz", "rx", "ry"]
[[supports]]
nodes = {1}
fixed = ["uy"]
[gravity]
acceleration = [0.0, -9.81, 0.0]
[[contacts]]
name = "tyre"
node = "car"
beam = "bridge"
{2}
obstacle = {{ type = "plane", normal = [0.0, 1.0, 0.0], gap = 0.0 }}
normal = {{ stiffness = 1.0e6, damping = 2400.0 }}
[basis]
{3}
damping_ratio = 0.0
[transient]
duration = {4}
{5}
[output]
nodes = ["bridge.{6}", "car"]
interval = 0.05
{7}
)deck";

struct Crossing {
  int elements{96};
  std::string basis{"modes = 6"};
  std::string travel{"speed = 20.0"};
  std::string run{"step = 1e-4"};
  double duration{0.05};
  bool direct{false};
  std::string held{"[\"left\", \"right\"]"};

  /// Displacement and velocity of the car, and displacement of midspan, at the end.
  std::string deckText() const {
    const std::string integration = direct ? "[direct]\nscheme = \"newmark\"\n" : "";
    std::string deck =
        fmt::format(kCrossing, elements, held, travel, basis, duration, run, elements / 2, integration);
    const auto ask = [&](const char* quantity, const std::string& node) {
      deck += fmt::format(
          "[[checks]]\nquantity = \"{}\"\nnode = \"{}\"\ndof = \"uy\"\ntime = {}\nreference = 0.0\n"
          "absolute = 1.0\nsource = \"asked for\"\n{}",
          quantity, node, duration, direct ? "mode = \"direct\"\n" : "");
    };
    ask("displacement", "car");
    ask("velocity", "car");
    ask("displacement", fmt::format("bridge.{}", elements / 2));
    return deck;
  }
  StudyOutcome runCrossing() const {
    const Deck study = studyOf(deckText());
    const auto simulation = direct ? prepareDirectSimulation(study) : prepare(study);
    return test::outcomeOf(study, *simulation);
  }
};

const std::vector<double> kAt50Ms{-0.00508056003018, -0.147096603248, -0.014931329559};
const std::vector<double> kAt150Ms{-0.0633864247608, -0.796920591361, -0.082811924336};

double errorOfScheme(const std::string& scheme, double h) {
  return distance(Crossing{.run = fmt::format("scheme = \"{}\"\nstep = {}", scheme, h)}.runCrossing().values,
                  kAt50Ms);
}

TEST(MovingWheel, SchemesOfSecondOrderConvergeToTheExactCrossing) {
  for (const std::string scheme : {"kick_drift", "central_difference", "newmark", "hht"}) {
    const double coarse = errorOfScheme(scheme, 4e-4), fine = errorOfScheme(scheme, 2e-4);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2) << scheme << " " << coarse << " " << fine;
    EXPECT_LT(fine, 2e-4) << scheme;
  }
}

TEST(MovingWheel, EveryOtherSchemeThatStepsGoesThere) {
  EXPECT_LT(errorOfScheme("symplectic_euler", 1e-5), 1e-4);
  EXPECT_LT(errorOfScheme("devogelaere", 2e-4), 1e-4);
  for (const std::string scheme : {"rk32", "rk54"}) {
    const std::string run = "scheme = \"" + scheme + "\"\ntolerance = { absolute = 1e-10, relative = 1e-9 }";
    EXPECT_LT(distance(Crossing{.run = run}.runCrossing().values, kAt50Ms), 1e-6) << scheme;
  }
  EXPECT_LT(
      distance(
          Crossing{.run = "scheme = \"adaptive_central\"\nstep = 1e-5\nstep_max = 2e-5"}.runCrossing().values,
          kAt50Ms),
      1e-4);
}

TEST(MovingWheel, LetsGoAndTouchesAgain) {
  const StudyOutcome outcome = Crossing{.run = "step = 2e-5", .duration = 0.15}.runCrossing();
  EXPECT_LT(distance(outcome.values, kAt150Ms), 1e-5);
  EXPECT_LT(outcome.energyError, 1e-4);
}

TEST(MovingWheel, DirectModeIsTheModalOneWithAllModes) {
  const std::string newmark = "scheme = \"newmark\"\nstep = 5e-5";
  const Crossing modal{.elements = 8, .basis = "all = true", .run = newmark, .duration = 0.15};
  Crossing direct = modal;
  direct.direct = true;
  EXPECT_LT(distance(modal.runCrossing().values, direct.runCrossing().values), 1e-8);
}

TEST(MovingWheel, PassesWhereTheBeamsEndIfTheEndIsHeld) {
  // Beyond the ends the surface is at rest, so that the wheel rests on its own spring.
  const StudyOutcome outcome =
      Crossing{.travel = "speed = 20.0\nfrom = 13.0", .run = "step = 1e-5", .duration = 0.5}.runCrossing();
  const double omega2 = 1.0e6 / 150.0, decay = 0.5 * 2400.0 / 150.0, t = 0.5;
  const double omega = std::sqrt(omega2 - decay * decay);
  const double place =
      -9.81 / omega2 *
      (1.0 - std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t)));
  EXPECT_NEAR(outcome.values[0], place, 1e-7);
}

TEST(MovingWheel, MayNotLeaveOverAFreeEnd) {
  Crossing cantilever{.travel = "speed = 100.0", .duration = 0.15};
  cantilever.held = "[\"left\"]";
  cantilever.basis = "modes = 6\n";
  EXPECT_THROW((void)prepare(studyOf(cantilever.deckText())), InputError);
  cantilever.travel = "speed = 50.0";
  EXPECT_NO_THROW((void)prepare(studyOf(cantilever.deckText())));
}

TEST(MovingWheel, IsRefusedBetweenEventsAndByImpulses) {
  for (const std::string scheme : {"event", "moreau"}) {
    const Crossing crossing{.run = "step = 1e-4\nscheme = \"" + scheme + "\""};
    EXPECT_THROW((void)prepare(studyOf(crossing.deckText())), InputError) << scheme;
  }
}

TEST(ContactTravelPath, RateOfTheRowIsItsSlopeTimesTheSpeed) {
  // A single coordinate: u = sigma^2 of an element of 2 m and (1 + sigma^3) of the next element of 3 m.
  SparseMatrix shapes(1, 8);
  shapes.insert(0, 2) = 1.0;
  shapes.insert(0, 4) = 1.0;
  shapes.insert(0, 7) = 1.0;
  const ContactTravelPath way(TimeFunction::line(0.0, 0.0, 0.5), {0.0, 2.0, 5.0}, shapes,
                              Eigen::RowVectorXd::Constant(1, 4.0));
  double row = 0.0, rate = 0.0;
  way.computeNormalRowAndItsRateAtTime(2.0, &row, &rate);  // at 1 m
  EXPECT_DOUBLE_EQ(row, 4.0 - 0.25);
  EXPECT_DOUBLE_EQ(rate, -2.0 * 0.5 * 0.25);
  way.computeNormalRowAndItsRateAtTime(8.0, &row, &rate);  // at 4 m
  EXPECT_NEAR(row, 4.0 - (1.0 + std::pow(2.0 / 3.0, 3)), 1e-15);
  EXPECT_NEAR(rate, -3.0 * std::pow(2.0 / 3.0, 2) * 0.5 / 3.0, 1e-15);
  way.computeNormalRowAndItsRateAtTime(11.0, &row, &rate);  // beyond
  EXPECT_DOUBLE_EQ(row, 4.0);
  EXPECT_DOUBLE_EQ(rate, 0.0);
  EXPECT_FALSE(way.doesChainStartMoveAlongNormal());
  EXPECT_TRUE(way.doesChainEndMoveAlongNormal());
  EXPECT_DOUBLE_EQ(way.rowAlongNormalOfLargestNorm()[0], 4.0);
}

}  // namespace
}  // namespace ricochet
