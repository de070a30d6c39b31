// Friction coefficients of zero give no friction for any law and scheme; slips without a normal force.

#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

using test::distance;
using test::outcomeOf;
using test::studyOf;
using test::StudyOutcome;

std::string checkOf(std::string_view keys) {
  return fmt::format("[[checks]]\n{}\nreference = 0.0\nabsolute = 1.0\n", keys);
}

std::string displacementAt(std::string_view dof, double time) {
  return checkOf(
      fmt::format("quantity = \"displacement\"\nnode = \"m\"\ndof = \"{}\"\ntime = {}", dof, time));
}

/// Results of a contact over the run: motion, events, dissipated energy of friction.
std::string manyChecks() {
  std::string checks;
  for (const double time : {0.31, 0.9, 1.5})
    for (const std::string_view dof : {"ux", "uz"}) checks += displacementAt(dof, time);
  for (const std::string_view kind : {"closing", "stick_to_slip", "slip_to_stick", "slip_reversal"})
    checks += checkOf(fmt::format("quantity = \"event_count\"\ncontact = \"c\"\nkind = \"{}\"", kind));
  checks += checkOf("quantity = \"friction_energy\"\ncontact = \"c\"");
  for (const double time : {0.03, 0.25, 0.9})
    checks += checkOf(fmt::format("quantity = \"tangential_force\"\ncontact = \"c\"\ntime = {}", time));
  return checks;
}

struct Kind {
  std::string_view name, obstacle, normal;
};
constexpr std::string_view kFloor = "type = \"plane\", normal = [0, 0, 1], gap = 0.02";
constexpr std::array kPressed{
    Kind{"plane", kFloor, "stiffness = 1e5"}, Kind{"damped plane", kFloor, "stiffness = 1e5, damping = 20.0"},
    Kind{"slot", "type = \"slot\", axis = [0, 1, 0], direction = [0, 0, 1], gap = 0.02", "stiffness = 1e5"},
    Kind{"imposed", "type = \"none\", normal = [0, 0, 1]", "force = \"press\""}};
constexpr std::array kFollowed{
    Kind{"hertz", kFloor, "law = \"hertz\", stiffness = 1e6, exponent = 1.5"},
    Kind{"circle", "type = \"circle\", axis = [0, 1, 0], gap = 0.02", "stiffness = 1e5"},
    Kind{"belt", "type = \"plane\", normal = [0, 0, 1], gap = 0.02, surface_velocity = [0.5, 0, 0]",
         "stiffness = 1e5"}};
constexpr Kind kRigid{"rigid", kFloor, "law = \"rigid\", restitution = 0.5"};

/// A mass on springs that falls on an obstacle with a tangential excitation; `inPlane` along both tangents.
std::string deckOf(const Kind& kind, std::string_view friction, std::string_view scheme, bool inPlane) {
  const std::string law = friction.empty() ? "" : fmt::format("friction = {{ {} }}\n", friction);
  const bool steps = scheme != "event" && scheme != "rk54" && scheme != "adaptive_central";
  return fmt::format(
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
      "[[springs]]\nnodes = [\"m\"]\nstiffness = [100.0, 150.0, 200.0]\n{}"
      "[initial]\nvelocity = [ {{ node = \"m\", value = [0.3, {}, -1.0] }} ]\n"
      "[functions.press]\ntimes = [0, 0.3, 0.3, 0.6, 0.8, 1.0, 1.2, 5]\nvalues = [10, 10, 0, 0, 10, 0, 0, "
      "20]\n"
      "[functions.shake]\nformula = \"20*sin(7*t)\"\n"
      "[[loads]]\nnodes = [\"m\"]\nforce = [1, {}, 0]\nscale = \"shake\"\n"
      "[[contacts]]\nname = \"c\"\nnode = \"m\"\nobstacle = {{ {} }}\nnormal = {{ {} }}\n{}"
      "[transient]\nduration = 1.5\nscheme = \"{}\"\n{}{}",
      inPlane ? "" : "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\"]\n", inPlane ? 0.2 : 0.0,
      inPlane ? 0.5 : 0.0, kind.obstacle, kind.normal, law, scheme, steps ? "step = 5e-4\n" : "",
      manyChecks());
}

StudyOutcome run(const std::string& deck) {
  const Deck study = studyOf(deck);
  return outcomeOf(study, *prepare(study));
}

constexpr std::string_view kElastic = "coefficient = 0.0, stiffness = 1e5, damping = 0.0";
constexpr std::string_view kDamped = "coefficient = 0.0, stiffness = 1e5";
constexpr std::string_view kTrueStick = "coefficient = 0.0";
constexpr std::string_view kOverSpeed =
    "stiffness = 1e5, velocity_law = { speeds = [0, 1], coefficients = [0, 0] }";
constexpr std::string_view kAutomaton =
    "law = \"automaton\", coefficient = 0.0, stiffness = 1e5, damping = 0.0";

/// All results equal those of the deck without friction: there is no stick, no slip and no dissipation.
void expectAsWithoutFriction(const Kind& kind, std::initializer_list<std::string_view> laws,
                             std::string_view scheme, bool inPlane,
                             double tolerance = 1e-10) {  // rounding, amplified by some impacts
  const StudyOutcome without = run(deckOf(kind, "", scheme, inPlane));
  for (const std::string_view friction : laws) {
    const StudyOutcome with = run(deckOf(kind, friction, scheme, inPlane));
    EXPECT_LE(distance(with.values, without.values), tolerance)
        << scheme << ", " << kind.name << ", " << friction << (inPlane ? ", in a plane" : ", on a line");
  }
}

TEST(ZeroFriction, IsNoneUnderEvent) {
  for (const bool inPlane : {false, true}) {
    for (const Kind& kind : kPressed)
      expectAsWithoutFriction(kind, {kElastic, kDamped, kTrueStick}, "event", inPlane);
    expectAsWithoutFriction(kRigid, {kElastic, kDamped, kTrueStick}, "event", inPlane);
  }
  for (const Kind& kind : kFollowed)
    expectAsWithoutFriction(kind, {kElastic, kDamped, kTrueStick}, "event", false);
}

TEST(ZeroFriction, IsNoneUnderMoreau) {
  for (const Kind& kind : kPressed)
    expectAsWithoutFriction(kind, {kElastic, kDamped, kTrueStick}, "moreau", true);
  expectAsWithoutFriction(kRigid, {kElastic, kDamped, kTrueStick}, "moreau", false);
}

TEST(ZeroFriction, IsNoneUnderSteppingSchemes) {
  const auto laws = {kElastic, kDamped, kTrueStick, kOverSpeed, kAutomaton};
  for (const std::string_view scheme :
       {"kick_drift", "central_difference", "symplectic_euler", "devogelaere", "newmark", "hht"}) {
    expectAsWithoutFriction(kPressed[0], laws, scheme, true);
    expectAsWithoutFriction(kPressed[3], laws, scheme, true);
    expectAsWithoutFriction(kFollowed[1], laws, scheme, false);
  }
  // The stiffness of the stick limits the steps of these schemes, even without a traction.
  for (const std::string_view scheme : {"rk54", "adaptive_central"})
    expectAsWithoutFriction(kPressed[0], {kElastic, kDamped}, scheme, true, 2e-3);
}

/// A mass with the initial velocity 0.1 m/s on a spring and a damper, under a normal force of 10 N: after the
/// breakaway of its set-valued stick it slides without a traction (mu_d = 0) between reversals, until the
/// spring force at a reversal is below mu_s N and the mass sticks.
struct Turning {
  static constexpr double kStiffness = 100.0, kDamping = 1.0, kMuStatic = 0.4, kPress = 10.0;

  Turning() {
    const double frequency = std::sqrt(kStiffness - 0.25 * kDamping * kDamping);
    while (kStiffness * std::abs(place) > kMuStatic * kPress) {
      place *= -std::exp(-0.5 * kDamping * std::numbers::pi / frequency);
      time += std::numbers::pi / frequency;
    }
  }
  double place{0.1}, time{0.0};
};

std::string turningDeck(std::string_view friction, std::string_view scheme, std::string_view step,
                        bool inPlane) {
  return fmt::format(
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
      "[[springs]]\nnodes = [\"m\"]\nstiffness = [100.0, {0}, 0]\n[[dampers]]\nnodes = [\"m\"]\n"
      "damping = [1.0, {1}, 0]\n[[supports]]\nnodes = \"all\"\nfixed = [{2}\"uz\"]\n"
      "[initial]\ndisplacement = [ {{ node = \"m\", value = [0.1, 0, 0] }} ]\n"
      "[[contacts]]\nname = \"c\"\nnode = \"m\"\nobstacle = {{ type = \"none\", normal = [0, 0, 1] }}\n"
      "normal = {{ force = 10.0 }}\nfriction = {{ static = 0.4, dynamic = 0.0{3} }}\n"
      "[transient]\nduration = 3.0\nscheme = \"{4}\"\n{5}{6}{7}{8}",
      inPlane ? "100.0" : "0", inPlane ? "1.0" : "0", inPlane ? "" : "\"uy\", ", friction, scheme, step,
      displacementAt("ux", 3.0), displacementAt("ux", 2.0),
      checkOf("quantity = \"event\"\ncontact = \"c\"\nkind = \"slip_to_stick\"\nindex = 1"));
}

TEST(ZeroFriction, OfSlipAloneEndsAtATurn) {
  const Turning exact;
  for (const bool inPlane : {false, true}) {
    const StudyOutcome event = run(turningDeck("", "event", "", inPlane));
    EXPECT_LE(distance(event.values, {exact.place, exact.place, exact.time}), 1e-9) << inPlane;
    const StudyOutcome moreau = run(turningDeck("", "moreau", "step = 1e-4\n", inPlane));
    EXPECT_LE(distance(moreau.values, {exact.place, exact.place, exact.time}), 2e-4) << inPlane;  // two steps
  }
}

/// At the end the spring force of the elastic stick is below half of mu_s N, so that the stick does not
/// overshoot its cone.
TEST(ZeroFriction, OfSlipAloneEndsAtATurnOfSteps) {
  const StudyOutcome event = run(turningDeck(", stiffness = 1e6", "event", "", false));
  for (const std::string_view scheme : {"kick_drift", "newmark", "moreau"}) {
    const StudyOutcome steps = run(turningDeck(", stiffness = 1e6", scheme, "step = 2e-5\n", false));
    EXPECT_NEAR(steps.values[0], event.values[0], 1e-5) << scheme;
    EXPECT_NEAR(steps.values[2], event.values[2], 1e-3) << scheme;
  }
}

/// In a plane a slip with N = 0 has no direction, and gets a direction when N returns: an elastic stick of
/// 1e5 N/m differs by mu N/k = 3e-5 m from a set-valued stick.
TEST(ZeroFriction, OfAForceThatIsZeroForAWhileEnds) {
  const StudyOutcome rigid = run(deckOf(kPressed[3], "coefficient = 0.3", "event", true));
  const StudyOutcome elastic =
      run(deckOf(kPressed[3], "coefficient = 0.3, stiffness = 1e5, damping = 0.0", "event", true));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(elastic.values[i], rigid.values[i], 1e-3) << i;
  const StudyOutcome drops = run(deckOf(kPressed[3], "static = 0.3, dynamic = 0.0", "event", true));
  const StudyOutcome elasticDrops =
      run(deckOf(kPressed[3], "static = 0.3, dynamic = 0.0, stiffness = 1e5, damping = 0.0", "event", true));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(elasticDrops.values[i], drops.values[i], 1e-3) << i;
}

}  // namespace
}  // namespace ricochet
