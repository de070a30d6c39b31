// Links and dashpots at massless nodes, and loads beside them and beside contacts: compared with integrations
// by SciPy (DOP853, tolerance 1e-13) of x with the solved node, and with the law of both in series.

#include "engine/links/link_in_series.hpp"
#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"
#include "physical/elements/elements.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

constexpr NodeIndex kMass{0}, kTip{1};
constexpr double kTipSpring = 400.0;  // [N/m]

/// 1 kg at 0.5 m/s on 100 N/m, and a massless tip behind 400 N/m.
Study tipStudy() {
  Study study;
  study.addNode("m");
  study.addNode("tip", {1.0, 0.0, 0.0});
  study.addMass({kMass}, 1.0);
  study.addSpring(kMass, {100.0, 0.0, 0.0});
  study.addSpring(kMass, kTip, {kTipSpring, 0.0, 0.0});
  study.fix({kMass, kTip}, {Component::uy, Component::uz});
  study.initialVelocity.push_back({kMass, {0.5}});
  study.transient.emplace().duration = 0.5;
  return study;
}

void addLink(Study& study, NodeIndex node, const AnyLinkLaw& law) {
  LinkRequest link;
  link.name = "link";
  link.first = node;
  link.axes = {{1.0}};
  link.law = law;
  study.links.push_back(link);
}

Study onTip(const AnyLinkLaw& law) {
  Study study = tipStudy();
  addLink(study, kTip, law);
  return study;
}

/// The mass alone, with a link law to the ground.
Study onMass(const AnyLinkLaw& law) {
  Study study;
  study.addNode("m");
  study.addMass({kMass}, 1.0);
  study.addSpring(kMass, {100.0, 0.0, 0.0});
  study.fix({kMass}, {Component::uy, Component::uz});
  study.initialVelocity.push_back({kMass, {0.5}});
  addLink(study, kMass, law);
  study.transient.emplace().duration = 0.5;
  return study;
}

LinkFunction formulaOf(std::string_view text, std::string_view variable) {
  const std::array<std::string_view, 1> names{variable};
  return LinkFunction(Formula::parse(text, names));
}

TimeFunction formulaInTime(std::string_view text) {
  constexpr std::array<std::string_view, 1> kTime{"t"};
  return TimeFunction::formula(Formula::parse(text, kTime));
}

struct LinkSchemeCase {
  std::string_view scheme;
  bool direct;
  double step;       ///< step [s]; 0: selected by the scheme
  double tolerance;  ///< relative to the largest value of a quantity
};

void PrintTo(const LinkSchemeCase& c, std::ostream* to) { *to << (c.direct ? "direct " : "") << c.scheme; }

class MasslessLinks : public ::testing::TestWithParam<LinkSchemeCase> {
 protected:
  /// `jumps`: energy error due to the unknown instant of a jump inside a step [J].
  static Result runOf(Study study, double jumps = 0.0) {
    const LinkSchemeCase& c = GetParam();
    (c.direct ? study.direct.scheme : study.transient->scheme) = c.scheme;
    if (c.step > 0.0) (c.direct ? study.direct.step : study.transient->step) = c.step;
    if (c.scheme == "rk54") study.transient->options.relativeTolerance = 1e-11;
    RunChoice choice;
    choice.direct = c.direct;
    for (int i = 0; i <= 50; ++i) choice.archiveTimes.push_back(0.01 * i);
    Result result = run(study, choice);
    EXPECT_EQ(result.report().status, RunStatus::complete);
    // The work of loads on the tip is computed by a trapezoidal rule over each step, and steps of rk54 are
    // long.
    const double within = c.scheme == "rk54" && !study.loads.empty() ? 1e-5 : 1e-6;
    EXPECT_LT(std::abs(result.report().energy.balanceResidual()), within + 0.02 * c.tolerance + jumps);
    return result;
  }
  static void expectMotionAtRow(const Result& result, std::size_t row, NodeIndex node, double displacement,
                                double velocity) {
    const double tolerance = GetParam().tolerance;
    EXPECT_NEAR(result.displacement(node, Component::ux)[row], displacement, 0.03 * tolerance);
    EXPECT_NEAR(result.velocity(node, Component::ux)[row], velocity, 2.0 * tolerance);
  }
  static void expectSameMotion(const Study& tip, const Study& one) {
    const Result both = runOf(tip), single = runOf(one);
    const auto x = both.displacement(kMass, Component::ux), y = single.displacement(kMass, Component::ux);
    const auto u = both.displacement(kTip, Component::ux);
    const auto forces = both.link("link");
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], y[i], 0.03 * GetParam().tolerance) << i;
      EXPECT_NEAR(kTipSpring * (x[i] - u[i]), forces[i].force[0], 1e-9) << i;
      EXPECT_NEAR(forces[i].motion.x[0], u[i], 1e-12) << i;
    }
  }
};

TEST_P(MasslessLinks, CubicSpring) {
  const Result result = runOf(onTip(ForceDisplacement{formulaOf("300*x + 2e6*x^3", "x")}));
  EXPECT_NEAR(result.displacement(kMass, Component::ux)[10], 0.02751162316741057,
              0.03 * GetParam().tolerance);
  expectMotionAtRow(result, 10, kTip, 0.011441522405424807, -0.03253956454248439);
  expectMotionAtRow(result, 25, kTip, -0.011487700245353312, -0.028673441387321606);
  expectMotionAtRow(result, 50, kTip, 0.005787589665877121, -0.20596939351217705);
}

TEST_P(MasslessLinks, TableIsTheTableOfBoth) {
  // The force f at x of the link is f at x + f/ks of both in series.
  const std::array at{-0.02, -0.004, 0.003, 0.01}, force{-20.0, -1.0, 1.5, 4.0};
  std::array<double, 4> both{};
  for (std::size_t i = 0; i < at.size(); ++i) both[i] = at[i] + force[i] / kTipSpring;
  const auto table = [](const auto& x, const auto& f) {
    return ForceDisplacement{LinkFunction(
        TimeFunction::table(x, f, TimeFunction::Outside::linear, TimeFunction::Outside::linear))};
  };
  expectSameMotion(onTip(table(at, force)), onMass(table(both, force)));
}

TEST_P(MasslessLinks, YieldingSpringIsSofterByTheSpringOfItsNode) {
  const auto yielding = [](double flexibility) {
    Elastoplastic law;
    const double first = 2.0, second = 7.0;  // [N]
    law.curve =
        HardeningCurve({first / 900.0 + first * flexibility, first / 900.0 + 0.1 + second * flexibility},
                       {first, second}, false);
    return law;
  };
  expectSameMotion(onTip(yielding(0.0)), onMass(yielding(1.0 / kTipSpring)));
}

/// The stop buckles at 2 N = 363.6 N/m x and has 0.5 N from then on: its node jumps by 1.5 N/400 N/m while
/// the mass stays, and the energy that its spring releases beyond 0.5 N times this distance is dissipated.
TEST_P(MasslessLinks, BucklingLosesTheEnergyOfItsJump) {
  constexpr double kStiffness = 4000.0, kCritical = 2.0, kAfter = 0.5, kGround = 100.0;
  Buckling stop;
  stop.stiffness = kStiffness;
  stop.criticalForce = kCritical;
  stop.postBucklingForce = kAfter;
  const Result result = runOf(onTip(stop), GetParam().scheme == "event" ? 0.0 : 1e-5);
  const double before = std::sqrt(kGround + kStiffness * kTipSpring / (kStiffness + kTipSpring));
  const double there = kCritical * (1.0 / kStiffness + 1.0 / kTipSpring), buckles = kCritical / kStiffness;
  const double begun = std::asin(before * there / 0.5) / before, rate = 0.5 * std::cos(before * begun);
  constexpr std::size_t kRow = 10;  // at 0.1 s, while the penetration grows
  const double since = 0.1 - begun, after = std::sqrt(kGround), shift = kAfter / kGround;
  const double x = (there + shift) * std::cos(after * since) + rate / after * std::sin(after * since) - shift;
  EXPECT_NEAR(result.displacement(kMass, Component::ux)[kRow], x, 0.3 * GetParam().tolerance);
  const double crushed = x - kAfter / kTipSpring - buckles;
  const double lost = 0.5 * (kCritical - kAfter) * buckles + kAfter * crushed +
                      0.5 * (kCritical - kAfter) * (kCritical - kAfter) / kTipSpring;
  EXPECT_NEAR(result.link("link")[kRow].dissipated, lost, 0.3 * GetParam().tolerance);
}

/// Laws without information about their jump: from x = 8 mm, where 300 x = 2.4 N = 400 (14 mm - x), the node
/// jumps to where the force after a sudden or steep drop balances 400 (14 mm - x) again.
TEST_P(MasslessLinks, SnapsWhereItsForceFalls) {
  constexpr double kFrom = 0.008, kForce = 300.0 * kFrom, kPoint = 0.009, kSlope = 8.2 / 0.091;
  const double within = GetParam().scheme == "event" ? 0.0 : 1e-5;
  const auto expectSnap = [&](const LinkFunction& law, double to, double after, double work) {
    const Result result = runOf(onTip(ForceDisplacement{law}), within);
    const LinkState at = result.link("link")[10];  // on the way in
    const double lost = 0.5 * (kForce * kForce - after * after) / kTipSpring - work;
    EXPECT_NEAR(at.dissipated, lost, 1e-10 + within);
    EXPECT_GT(at.motion.x[0], to);
    for (const std::size_t row : {10U, 25U, 50U}) {
      const LinkState each = result.link("link")[row];
      EXPECT_NEAR(each.force[0], law.at(each.motion.x[0]), 1e-9);
      EXPECT_NEAR(each.force[0],
                  kTipSpring * (result.displacement(kMass, Component::ux)[row] - each.motion.x[0]), 1e-9);
    }
  };
  const double jumped = 5.6 / 500.0;
  expectSnap(formulaOf("if(x < 0.008, 300*x, 100*x)", "x"), jumped, 100.0 * jumped,
             50.0 * (jumped * jumped - kFrom * kFrom));
  const double slid = (4.8 + kSlope * kPoint) / (400.0 + kSlope), after = 0.8 + kSlope * (slid - kPoint);
  expectSnap(LinkFunction(TimeFunction::table(std::array{-0.01, 0.0, kFrom, kPoint, 0.1},
                                              std::array{-3.0, 0.0, kForce, 0.8, 9.0},
                                              TimeFunction::Outside::linear, TimeFunction::Outside::linear)),
             slid, after, 1.6e-3 + 0.5 * (0.8 + after) * (slid - kPoint));
}

TEST_P(MasslessLinks, ZenerDamperHasTheSpringInItsFlexibility) {
  for (const double exponent : {1.0, 0.6}) {
    const Zener own{.flexibility1 = 0.001,
                    .stiffness2 = 120.0,
                    .flexibility3 = 0.002,
                    .damping = 9.0,
                    .exponent = exponent};
    if (GetParam().scheme == "event" && exponent != 1.0) continue;
    Zener both = own;
    both.flexibility1 += 1.0 / kTipSpring;
    expectSameMotion(onTip(own), onMass(both));
  }
}

TEST_P(MasslessLinks, LinearDashpotIsAMaxwellElement) {
  const Study study = onTip(ForceVelocity{formulaOf("20*v", "v")});
  expectSameMotion(study, onMass(Zener{.flexibility1 = 0.0,
                                       .stiffness2 = 0.0,
                                       .flexibility3 = 1.0 / kTipSpring,
                                       .damping = 20.0,
                                       .exponent = 1.0}));
}

TEST_P(MasslessLinks, LoadsMoveTheirLink) {
  // A load on the tip acts like a load on the mass, and stretches the spring by F/ks in addition.
  Study study = onTip(ForceDisplacement{formulaOf("300*x", "x")});
  study.loads.push_back({.node = kTip, .components = {3.0}, .scale = formulaInTime("sin(20*t)"), .entry = 0});
  const Result result = runOf(study);
  const auto x = result.displacement(kMass, Component::ux), u = result.displacement(kTip, Component::ux);
  const auto v = result.velocity(kMass, Component::ux), w = result.velocity(kTip, Component::ux);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = 0.01 * static_cast<double>(i);
    EXPECT_NEAR(u[i], (kTipSpring * x[i] + 3.0 * std::sin(20.0 * t)) / 700.0, 1e-12);
    EXPECT_NEAR(w[i], (kTipSpring * v[i] + 60.0 * std::cos(20.0 * t)) / 700.0, 1e-10);
  }
}

TEST_P(MasslessLinks, DashpotOfTheStructureRelaxes) {
  Study study = tipStudy();
  study.addSpring(kTip, {50.0, 0.0, 0.0});
  study.addDashpot(kTip, {20.0, 0.0, 0.0});
  const Result result = runOf(study);
  expectMotionAtRow(result, 10, kMass, 0.02555322679444171, -0.07482347201416935);
  expectMotionAtRow(result, 10, kTip, 0.017662248137062037, 0.11366395280493832);
  expectMotionAtRow(result, 25, kMass, -0.001995210388670055, -0.0699953222751713);
  expectMotionAtRow(result, 25, kTip, 0.0039163961130275395, -0.12802312031652074);
  expectMotionAtRow(result, 50, kTip, 0.0013093822269104865, -0.006018141761233867);
}

TEST_P(MasslessLinks, DashpotsOfOnePartActOnEachOther) {
  // ground -100- m -400- tip -300- end -50- ground, dashpots 20 at the tip and 15 to the end; the tip starts
  // 4 mm from its equilibrium.
  Study study = tipStudy();
  const NodeIndex end = study.addNode("end", {2.0, 0.0, 0.0});
  study.fix({end}, {Component::uy, Component::uz});
  study.addSpring(kTip, end, {300.0, 0.0, 0.0});
  study.addSpring(end, {50.0, 0.0, 0.0});
  study.addDashpot(kTip, {20.0, 0.0, 0.0});
  study.addDashpot(kTip, end, {15.0, 0.0, 0.0});
  study.initialDisplacement.push_back({kTip, {0.004}});
  const Result result = runOf(study);
  expectMotionAtRow(result, 10, kMass, 0.02859202435845419, -0.052713045070539075);
  expectMotionAtRow(result, 10, kTip, 0.01986607984609712, 0.1303026994705121);
  expectMotionAtRow(result, 50, kMass, 0.001501664314153819, -0.02304339389153101);
  expectMotionAtRow(result, 50, kTip, 0.0016950067847707523, -0.007553153525382816);
  expectMotionAtRow(result, 50, end, 0.0014745216452176613, result.velocity(end, Component::ux)[50]);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, MasslessLinks,
    ::testing::Values(LinkSchemeCase{"event", false, 0.0, 1e-9}, LinkSchemeCase{"moreau", false, 1e-5, 1e-5},
                      LinkSchemeCase{"kick_drift", false, 1e-5, 1e-5},
                      LinkSchemeCase{"hht", false, 1e-5, 1e-5}, LinkSchemeCase{"rk54", false, 0.0, 1e-6},
                      LinkSchemeCase{"newmark", true, 1e-5, 1e-5},
                      LinkSchemeCase{"central_difference", true, 1e-5, 1e-5}),
    [](const auto& each) {
      return std::string(each.param.direct ? "direct_" : "") + std::string(each.param.scheme);
    });

TEST(MasslessDashpots, RestAtTheStaticEquilibrium) {
  // Under 7 N at the tip, the springs of 50 N/m to the ground and of 400 N/m to the mass carry the load; the
  // dashpot carries no force.
  Study study = tipStudy();
  study.initialVelocity.clear();
  study.addSpring(kTip, {50.0, 0.0, 0.0});
  study.addDashpot(kTip, {20.0, 0.0, 0.0});
  study.loads.push_back({.node = kTip, .components = {7.0}, .entry = 0});
  study.equilibrium = Equilibrium::withoutFriction;
  study.direct.step = 1e-4;
  study.transient->scheme = "event";
  for (const bool direct : {false, true}) {
    RunChoice choice;
    choice.direct = direct;
    choice.archiveTimes = {0.0, 0.2};
    const Result result = run(study, choice);
    // Equilibrium: 500 x = 400 u, 450 u = 400 x + 7.
    const double u = 7.0 / (450.0 - 400.0 * 400.0 / 500.0);
    for (const std::size_t row : {0U, 1U}) {
      EXPECT_NEAR(result.displacement(kTip, Component::ux)[row], u, 1e-11);
      EXPECT_NEAR(result.displacement(kMass, Component::ux)[row], 0.8 * u, 1e-11);
    }
  }
}

TEST(MasslessLoads, ThatVaryMoveTheContactOfTheirNode) {
  // 1 kg at 1 m/s, with a tip behind 2e5 N/m under 150 sin(300 t) N, 5 mm before a stop of 1e6 N/m.
  Study study;
  study.addNode("m");
  study.addNode("tip", {1.0, 0.0, 0.0});
  study.addMass({kMass}, 1.0);
  study.addSpring(kMass, kTip, {2e5, 0.0, 0.0});
  study.fix({kMass, kTip}, {Component::uy, Component::uz});
  for (const NodeIndex node : {kMass, kTip}) study.initialVelocity.push_back({node, {1.0}});
  ContactRequest stop;
  stop.name = "stop";
  stop.first = kTip;
  stop.obstacle = Plane{};
  stop.frame = contactFrame({-1.0, 0.0, 0.0});
  stop.origin = {1.005, 0.0, 0.0};
  stop.normal = LinearPenalty{.stiffness = 1e6};
  study.contacts.push_back(stop);
  study.loads.push_back(
      {.node = kTip, .components = {150.0}, .scale = formulaInTime("sin(300*t)"), .entry = 0});
  study.transient.emplace().duration = 0.014;
  study.transient->scheme = "event";
  study.direct.step = 1e-6;
  for (const bool direct : {false, true}) {
    RunChoice choice;
    choice.direct = direct;
    choice.archiveTimes = {0.0, 0.009, 0.014};
    const Result result = run(study, choice);
    const double within = direct ? 2e-6 : 1e-11;
    EXPECT_NEAR(result.event("stop", EventKind::closing), 0.003895706696978407, within);
    EXPECT_NEAR(result.event("stop", EventKind::opening), 0.01199059154434456, within);
    EXPECT_NEAR(result.contact("stop")[1].normalForce, 607.979373359292, 1e6 * within);
    EXPECT_NEAR(result.displacement(kTip, Component::ux)[1], 0.005607979373359292, within);
    EXPECT_NEAR(result.displacement(kMass, Component::ux)[2], 0.002328387478317248, within);
    EXPECT_LT(std::abs(result.report().energy.balanceResidual()), direct ? 1e-5 : 1e-11);
  }
}

TEST(MasslessLoads, ThatVaryDragTheirSlider) {
  // A massless pad behind 400 N/m, pressed by 1 N, under 0.3 sin(20 t) N: 400 (x - u) + F = T, |T| <= 1.
  Study study = tipStudy();
  ContactRequest pad;
  pad.name = "pad";
  pad.first = kTip;
  pad.obstacle = NoObstacle{};
  pad.frame = contactFrame({0.0, 0.0, 1.0});
  pad.normal = ImposedForce{};
  pad.imposedForce = TimeFunction::constant(1.0);
  pad.friction.law = Coulomb{1.0, 1.0};
  study.contacts.push_back(pad);
  study.loads.push_back({.node = kTip, .components = {0.3}, .scale = formulaInTime("sin(20*t)"), .entry = 0});
  study.transient->duration = 0.3;
  study.transient->scheme = "event";
  RunChoice choice;
  choice.archiveTimes = {0.1, 0.2, 0.3};
  const Result result = run(study, choice);
  EXPECT_NEAR(result.event("pad", EventKind::stickToSlip), 0.004863896428232997, 1e-11);
  EXPECT_NEAR(result.event("pad", EventKind::slipToStick), 0.13905391109998996, 1e-10);
  const auto x = result.displacement(kMass, Component::ux), u = result.displacement(kTip, Component::ux);
  constexpr std::array kX{0.038452490413749346, 0.035179177931060464, 0.0026743124286706787};
  constexpr std::array kU{0.036634463483868604, 0.037111576059579515, 0.004964750805021484};
  for (std::size_t i = 0; i < kX.size(); ++i) {
    EXPECT_NEAR(x[i], kX[i], 1e-11);
    EXPECT_NEAR(u[i], kU[i], 1e-11);
  }
  EXPECT_LT(std::abs(result.report().energy.balanceResidual()), 1e-11);
}

/// Near a point of a table the rounding of the force follows from the size at the other end of the piece.
TEST(MasslessLinkAtZero, IsFoundHoweverSmallItsMotion) {
  constexpr double kStiffness = 28160.0, kSpring = 55450.0;
  Link link;
  link.law = ForceDisplacement{
      LinkFunction(TimeFunction::table(std::array{-0.0125, 0.0, 0.00625}, std::array{-352.0, 0.0, 176.0},
                                       TimeFunction::Outside::linear, TimeFunction::Outside::linear))};
  link.compliance(0, 0) = 1.0 / kSpring;
  link.inSeries = InSeries::solved;
  const double rounding = 1e-15 * 352.0 / kSpring;
  for (int i = 0; i <= 4000; ++i)
    for (const double sign : {1.0, -1.0}) {
      LinkMotion<double> free;
      free.x[0] = sign * 5e-3 * std::pow(10.0, -0.01 * i);
      const double x = linkMotionWithoutSeriesSprings(link, LinkState{}, free).x[0];
      LinkState from;
      from.force[0] = 1e-13 * free.x[0];
      EXPECT_NEAR(linkMotionWithoutSeriesSprings(link, from, LinkMotion<double>{}).x[0], 0.0, rounding);
      EXPECT_NEAR(x, free.x[0] / (1.0 + kStiffness / kSpring), rounding + 1e-14 * std::abs(free.x[0]))
          << "free " << free.x[0];
    }
}

}  // namespace
}  // namespace ricochet
