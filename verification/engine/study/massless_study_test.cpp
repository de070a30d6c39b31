// Contacts, loads and links at massless nodes, compared with closed forms of springs in series.

#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"
#include "physical/elements/elements.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

constexpr double kSpring = 2.0e5, kStop = 1.0e6;  // [N/m]

/// A mass of 1 kg at 1 m/s with a massless tip behind a spring of 2e5 N/m, 5 mm before a stop.
Study masslessTipAtStop(const AnyNormalLaw& normal) {
  Study study;
  const NodeIndex mass = study.addNode("m"), tip = study.addNode("tip", {1.0, 0.0, 0.0});
  study.addMass({mass}, 1.0);
  study.addSpring(mass, tip, {kSpring, 0.0, 0.0});
  study.fix({mass, tip}, {Component::uy, Component::uz});
  for (const NodeIndex node : {mass, tip}) study.initialVelocity.push_back({node, {1.0}});
  ContactRequest stop;
  stop.name = "stop";
  stop.first = tip;
  stop.obstacle = Plane{};
  stop.frame = contactFrame({-1.0, 0.0, 0.0});
  stop.origin = {1.005, 0.0, 0.0};
  stop.normal = normal;
  study.contacts.push_back(stop);
  study.transient.emplace().duration = 0.014;
  return study;
}

/// A mass of 1 kg at 0.5 m/s on 100 N/m draws a massless slider behind 400 N/m, pressed by 1 N.
Study drawn(const AnyFrictionLaw& friction) {
  Study study;
  const NodeIndex mass = study.addNode("m"), pad = study.addNode("pad", {1.0, 0.0, 0.0});
  study.addMass({mass}, 1.0);
  study.addSpring(mass, {100.0, 0.0, 0.0});
  study.addSpring(mass, pad, {400.0, 0.0, 0.0});
  study.fix({mass, pad}, {Component::uy, Component::uz});
  study.initialVelocity.push_back({mass, {0.5}});
  ContactRequest stop;
  stop.name = "stop";
  stop.first = pad;
  stop.obstacle = NoObstacle{};
  stop.frame = contactFrame({0.0, 0.0, 1.0});
  stop.normal = ImposedForce{};
  stop.imposedForce = TimeFunction::constant(1.0);
  stop.friction.law = friction;
  study.contacts.push_back(stop);
  study.transient.emplace().duration = 0.014;
  return study;
}

TimeFunction sine() {
  constexpr std::array<std::string_view, 1> kClock{"t"};
  return TimeFunction::formula(Formula::parse("sin(3*t)", kClock));
}

struct SchemeCase {
  std::string_view scheme;
  double step;       ///< step [s]; 0: selected by the scheme
  double tolerance;  ///< tolerance of instants relative to the duration of the contact, and of forces
  double
      located;  ///< error of the instant of a breakaway [s]: a step, or the tolerance of an adaptive scheme
};

void PrintTo(const SchemeCase& c, std::ostream* to) { *to << c.scheme; }

class MasslessContact : public ::testing::TestWithParam<SchemeCase> {
 protected:
  static Result runOf(Study study, bool direct = false) {
    const SchemeCase& c = GetParam();
    if (direct)
      study.direct.scheme = c.scheme;
    else
      study.transient->scheme = c.scheme;
    if (c.step > 0.0) (direct ? study.direct.step : study.transient->step) = c.step;
    RunChoice choice;
    choice.direct = direct;
    for (int i = 0; i <= 140; ++i) choice.archiveTimes.push_back(1e-4 * i);
    return run(study, choice);
  }

  /// The half sine of a stiffness k after 5 ms, and the corresponding motion of tip and gap.
  static void expectHalfSine(const Result& result, double k, double stop) {
    const double tolerance = GetParam().tolerance;
    ASSERT_EQ(result.report().status, RunStatus::complete);
    const double omega = std::sqrt(k), peak = omega;
    const double duration = std::numbers::pi / omega;
    EXPECT_NEAR(result.event("stop", EventKind::closing), 0.005, tolerance * duration);
    EXPECT_NEAR(result.event("stop", EventKind::opening), 0.005 + duration, tolerance * duration);
    const auto views = result.contact("stop");
    const auto tip = result.displacement(NodeIndex{1}, Component::ux);
    const auto rate = result.velocity(NodeIndex{1}, Component::ux);
    for (std::size_t i = 0; i < views.size(); ++i) {
      const double t = result.time()[i] - 0.005;
      if (t < 0.02 * duration || t > 0.98 * duration) continue;
      const double force = peak * std::sin(omega * t);
      EXPECT_NEAR(views[i].normalForce, force, 4.0 * tolerance * peak) << t;
      EXPECT_NEAR(views[i].gap, stop > 0.0 ? -force / stop : 0.0, 4.0 * tolerance * peak / k) << t;
      EXPECT_NEAR(tip[i], 0.005 - views[i].gap, 1e-12) << t;  // the node is the contact point
      EXPECT_NEAR(rate[i], stop > 0.0 ? std::cos(omega * t) * k / stop : 0.0, 8.0 * tolerance) << t;
      EXPECT_NEAR(views[i].gapRate, -std::cos(omega * t), 8.0 * tolerance) << t;  // displacement of the mass
    }
  }
};

TEST_P(MasslessContact, PenaltyIsInSeriesWithTheSpringOfItsNode) {
  const double both = kSpring * kStop / (kSpring + kStop);
  expectHalfSine(runOf(masslessTipAtStop(LinearPenalty{.stiffness = kStop})), both, kStop);
}

TEST_P(MasslessContact, RigidStopLeavesTheSpringAlone) {
  expectHalfSine(runOf(masslessTipAtStop(Rigid{.restitution = 0.7})), kSpring, 0.0);
}

TEST_P(MasslessContact, FollowsInPhysicalCoordinatesToo) {
  if (GetParam().scheme != "newmark" && GetParam().scheme != "central_difference")
    GTEST_SKIP() << "modal scheme";
  const double both = kSpring * kStop / (kSpring + kStop);
  expectHalfSine(runOf(masslessTipAtStop(LinearPenalty{.stiffness = kStop}), true), both, kStop);
  expectHalfSine(runOf(masslessTipAtStop(Rigid{.restitution = 0.7}), true), kSpring, 0.0);
}

TEST_P(MasslessContact, TrueStickIsAJenkinsElement) {
  // Stick: x'' + 500 x = 0 until 400 x = 1; the pad then slips at once with the mass.
  const Result result = runOf(drawn(Coulomb{1.0, 1.0}));
  ASSERT_EQ(result.report().status, RunStatus::complete);
  const double omega = std::sqrt(500.0);
  const double slips = std::asin(0.0025 * omega / 0.5) / omega;
  // Inside the step that ends the stick, results are interpolated between its ends; adaptive steps are long.
  const double step = GetParam().scheme == "rk54" ? 1e-3 : GetParam().located;
  EXPECT_NEAR(result.event("stop", EventKind::stickToSlip), slips, GetParam().located);
  const auto pad = result.displacement(NodeIndex{1}, Component::ux);
  const auto mass = result.displacement(NodeIndex{0}, Component::ux);
  const auto views = result.contact("stop");
  for (std::size_t i = 0; i < pad.size(); ++i) {
    if (result.time()[i] < slips - step) {
      EXPECT_NEAR(pad[i], 0.0, 1e-12);
      EXPECT_NEAR(views[i].slipVelocity.first, 0.0, 1e-10);
      EXPECT_EQ(views[i].phase, ContactPhase::stick);
    } else if (result.time()[i] > slips + step) {
      EXPECT_NEAR(pad[i], mass[i] - 0.0025, 1e-12);
      EXPECT_NEAR(views[i].position[1], 1.0 + pad[i], 1e-12);
      EXPECT_EQ(views[i].phase, ContactPhase::slip);
    }
  }
}

TEST_P(MasslessContact, BreakawayDissipatesTheWorkOfItsJump) {
  // mu_s = 1.5: at 400 x = 1.5 the traction drops to 1 N and the pad jumps by 0.5/400 m; the spring loses
  // (1.5^2 - 1^2)/(2 400) J, then the pad slips under 1 N.
  const Result result = runOf(drawn(Coulomb{1.5, 1.0}));
  ASSERT_EQ(result.report().status, RunStatus::complete);
  const double omega = std::sqrt(500.0);
  const double slips = std::asin(0.00375 * omega / 0.5) / omega;
  EXPECT_NEAR(result.event("stop", EventKind::stickToSlip), slips, GetParam().located);
  const auto pad = result.displacement(NodeIndex{1}, Component::ux);
  const double jump = 0.5 / 400.0;
  const double dissipated = (1.5 * 1.5 - 1.0) / 800.0 + (pad.back() - jump);
  EXPECT_GT(pad.back(), 2.0 * jump / 1.5);
  EXPECT_NEAR(result.report().energy.friction, dissipated, 1e-5 + 0.6 * GetParam().located);
  EXPECT_LT(std::abs(result.report().energy.balanceResidual()), 1e-5 + 0.6 * GetParam().located);
}

TEST_P(MasslessContact, OppositeStopsOfOneNodeActInTurn) {
  // 5 mm to each side: a half sine at one stop from 5 ms on, 10 mm back at 1 m/s, a half sine at the other
  // stop.
  Study study = masslessTipAtStop(LinearPenalty{.stiffness = kStop});
  study.transient->duration = 0.032;
  ContactRequest other = study.contacts.front();
  other.name = "other";
  other.frame = contactFrame({1.0, 0.0, 0.0});
  other.origin = {0.995, 0.0, 0.0};
  study.contacts.push_back(other);
  const double both = kSpring * kStop / (kSpring + kStop), omega = std::sqrt(both);
  const double duration = std::numbers::pi / omega;
  const double second = 0.005 + duration + 0.010;
  const Result result = runOf(std::move(study));
  ASSERT_EQ(result.report().status, RunStatus::complete);
  const double tolerance = 3.0 * GetParam().tolerance;
  EXPECT_NEAR(result.event("other", EventKind::closing), second, tolerance * duration);
  EXPECT_NEAR(result.event("other", EventKind::opening), second + duration, tolerance * duration);
  const auto views = result.contact("stop"), others = result.contact("other");
  const auto tip = result.displacement(NodeIndex{1}, Component::ux);
  int pressed = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    EXPECT_NEAR(views[i].gap, 0.005 - tip[i], 1e-12) << result.time()[i];
    EXPECT_NEAR(others[i].gap, 0.005 + tip[i], 1e-12) << result.time()[i];
    EXPECT_NEAR(others[i].position[0], others[i].gap, 1e-12) << result.time()[i];
    if (const double t = result.time()[i] - 0.005; t > 0.02 * duration && t < 0.98 * duration) {
      ++pressed;
      EXPECT_NEAR(views[i].normalForce, omega * std::sin(omega * t), 4.0 * tolerance * omega);
      EXPECT_NEAR(tip[i], 0.005 + views[i].normalForce / kStop, 1e-12);
    }
  }
  EXPECT_GT(pressed, 50);
}

INSTANTIATE_TEST_SUITE_P(Schemes, MasslessContact,
                         ::testing::Values(SchemeCase{"event", 0.0, 1e-9, 1e-9},
                                           SchemeCase{"moreau", 1e-6, 1e-3, 1e-6},
                                           SchemeCase{"kick_drift", 1e-6, 1e-4, 1e-6},
                                           SchemeCase{"newmark", 1e-6, 1e-4, 1e-6},
                                           SchemeCase{"central_difference", 1e-6, 1e-4, 1e-6},
                                           SchemeCase{"rk54", 0.0, 1e-4, 1e-5}),
                         [](const auto& each) { return std::string(each.param.scheme); });

TEST(MasslessLoads, MoveTheirNodeAtOnce) {
  // A constant and a harmonic force on the tip: both act fully on the mass, and the tip is ahead by F/ks.
  Study study;
  const NodeIndex mass = study.addNode("m"), tip = study.addNode("tip", {1.0, 0.0, 0.0});
  study.addMass({mass}, 2.0);
  study.addSpring(mass, {300.0, 0.0, 0.0});
  study.addSpring(mass, tip, {500.0, 0.0, 0.0});
  study.fix({mass, tip}, {Component::uy, Component::uz});
  study.loads.push_back({.node = tip, .components = {20.0}, .entry = 0});
  study.loads.push_back({.node = tip, .components = {5.0}, .scale = sine(), .entry = 1});
  study.transient.emplace().duration = 1.0;
  study.transient->scheme = "newmark";
  study.transient->step = 1e-3;
  study.direct.step = 1e-3;
  for (const bool direct : {false, true}) {
    RunChoice choice;
    choice.direct = direct;
    choice.archiveEvery = 50;
    const Result result = run(study, choice);
    const auto at = [&](NodeIndex node) { return result.displacement(node, Component::ux); };
    const auto rate = [&](NodeIndex node) { return result.velocity(node, Component::ux); };
    ASSERT_GT(result.time().size(), 10U);
    for (std::size_t i = 0; i < result.time().size(); ++i) {
      const double t = result.time()[i];
      EXPECT_NEAR(at(tip)[i] - at(mass)[i], (20.0 + 5.0 * std::sin(3.0 * t)) / 500.0, 1e-14);
      EXPECT_NEAR(rate(tip)[i] - rate(mass)[i], 15.0 * std::cos(3.0 * t) / 500.0, 1e-13);
    }
  }
}

TEST(MasslessLoads, ConstantOnesShiftTheContactOfTheirNode) {
  // Under 100 N the tip is 0.5 mm ahead of the mass, on which no force acts, and closes that much earlier.
  Study study = masslessTipAtStop(LinearPenalty{.stiffness = kStop});
  study.loads.push_back({.node = NodeIndex{1}, .components = {100.0}, .entry = 0});
  study.loads.push_back({.node = NodeIndex{0}, .components = {-100.0}, .entry = 1});
  study.transient->scheme = "event";
  study.direct.step = 1e-6;
  for (const bool direct : {false, true}) {
    RunChoice choice;
    choice.direct = direct;
    const Result result = run(study, choice);
    EXPECT_NEAR(result.event("stop", EventKind::closing), 0.0045, direct ? 1e-6 : 1e-12);
  }
}

std::string refusalOf(const Study& study, bool direct) {
  try {
    static_cast<void>(direct ? prepareDirectSimulation(study) : prepare(study));
  } catch (const StudyError& error) {
    return error.what();
  }
  return "none";
}

TEST(MasslessNodes, AreRefusedWithPlaceAndRemedyWhereNothingIsExact) {
  const Study good = masslessTipAtStop(LinearPenalty{.stiffness = kStop});
  const auto expectRefusal = [](const Study& study, std::string_view place) {
    for (const bool direct : {false, true}) {
      const std::string text = refusalOf(study, direct);
      EXPECT_NE(text.find(place), std::string::npos) << place << ": " << text;
      EXPECT_NE(text.find("no mass"), std::string::npos) << place << ": " << text;
    }
  };
  EXPECT_EQ(refusalOf(good, false), "none");
  EXPECT_EQ(refusalOf(good, true), "none");
  EXPECT_EQ(refusalOf(masslessTipAtStop(LinearPenalty{.stiffness = kStop, .damping = 10.0}), false), "none");
  // The distribution of a force on two rigid stops is not unique.
  Study second = masslessTipAtStop(Rigid{.restitution = 0.7});
  second.contacts.push_back(second.contacts.front());
  second.contacts.back().name = "other";
  expectRefusal(second, "contacts.other");

  Study linked = good;
  LinkRequest link;
  link.name = "link";
  link.first = NodeIndex{1};
  link.axes = {{1.0}};
  linked.links.push_back(link);
  linked.contacts.clear();
  linked.links.front().law = Antiseismic{.damping = 10.0, .exponent = 0.2, .displacementMax = 0.01};
  expectRefusal(linked, "links.link");

  // A load that jumps would strike the dashpot of the contact at an infinite speed.
  Study loaded = masslessTipAtStop(LinearPenalty{.stiffness = kStop, .damping = 10.0});
  loaded.loads.push_back(
      {.node = NodeIndex{1}, .components = {5.0}, .scale = TimeFunction::steps({{0.0, 0.0}, {0.002, 1.0}})});
  expectRefusal(loaded, "loads.scale");

  Study rayleigh = good;
  rayleigh.basis.rayleigh.stiffness = 1e-5;
  expectRefusal(rayleigh, "basis.rayleigh.stiffness");
}

TEST(MasslessNodes, TiedToAMassByRelationsHaveNoComplianceOfTheirOwn) {
  Study study = masslessTipAtStop(LinearPenalty{.stiffness = kStop, .damping = 10.0});
  study.addSpring(NodeIndex{1}, {50.0, 0.0, 0.0});
  study.structure.relations.push_back(
      {{{{NodeIndex{0}, Component::ux}, 1.0}, {{NodeIndex{1}, Component::ux}, -1.0}}});
  for (const bool direct : {false, true}) {
    const auto simulation = direct ? prepareDirectSimulation(study) : prepare(study);
    EXPECT_TRUE(simulation->contacts().contact(0).compliance.isZero(0.0));
    EXPECT_TRUE(simulation->contactFields.empty());
  }
}

TEST(MasslessNodes, OfAnOffsetMassCountAsCombinations) {
  // A point mass 0.5 m above its node: rotation about the mass has no inertia, so that a contact at the node
  // is in series with the rotational spring, k/0.5^2 along x.
  Study study;
  const NodeIndex node = study.addNode("n");
  study.structure.elements.push_back(PointMass{node, 2.0, {}, Vec3(0.0, 0.5, 0.0)});
  Vector stiffness(6);
  stiffness << 1000.0, 1000.0, 1000.0, 300.0, 300.0, 300.0;
  study.structure.elements.push_back(Spring{Connector::connectorFromDiagonal({node}, stiffness)});
  study.fix({node}, {Component::uz, Component::rx, Component::ry});
  ContactRequest stop;
  stop.name = "stop";
  stop.first = node;
  stop.obstacle = Plane{};
  stop.frame = contactFrame({1.0, 0.0, 0.0});
  stop.normal = LinearPenalty{.stiffness = 1e4};
  study.contacts.push_back(stop);
  study.transient.emplace().duration = 0.01;
  // With a fixed mass: x = 0.5 rz (small), energy 500 x^2 + 150 rz^2 = (500 + 600) x^2: F = 1/2200.
  EXPECT_NEAR(prepare(study)->contacts().contact(0).compliance(0, 0), 1.0 / 2200.0, 1e-12);
}

TEST(MasslessStudy, NamesADashpotThatIsNoLinkOfTheStudy) {
  const Study study = masslessTipAtStop(LinearPenalty{.stiffness = kStop});
  EXPECT_EQ(bodyName(study, 0), "stop");
  EXPECT_EQ(bodyName(study, 1), "[[dampers]]");
}

}  // namespace
}  // namespace ricochet
