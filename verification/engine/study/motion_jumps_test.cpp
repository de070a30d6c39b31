// Bases, supports and walls whose displacement or velocity jumps, in all schemes, compared with the matrix
// exponential and with closed forms.

#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"
#include "physical/elements/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

using ::testing::HasSubstr;

struct SchemeCase {
  std::string_view scheme;
  bool direct;
  double step;       ///< step [s]; 0: selected by the scheme
  double tolerance;  ///< error of displacements [m] and, tenfold, of velocities [m/s]
};

void PrintTo(const SchemeCase& c, std::ostream* to) { *to << c.scheme << (c.direct ? " direct" : ""); }

TimeFunction tableOfValues(const std::vector<double>& times, const std::vector<double>& values) {
  return TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant);
}

constexpr double kStruck = 0.1, kMoved = 0.25, kEnd = 0.4;  // instants of the jumps, and the end [s]
constexpr double kSpeed = 0.5, kShift = 0.01;               // jumps of velocity [m/s] and displacement [m]

/// A base along x at rest until 0.1 s, then at 0.5 m/s, which 0.25 s after the start jumps by 0.01 m.
BaseMotion baseThatJumps(double shift = kShift) {
  BaseMotion base;
  base.direction = {1.0};
  const double before = kSpeed * (kMoved - kStruck), last = kSpeed * (1.0 - kStruck) + shift;
  base.displacement =
      tableOfValues({0.0, kStruck, kMoved, kMoved, 1.0}, {0.0, 0.0, before, before + shift, last});
  base.velocity = tableOfValues({0.0, kStruck, kStruck, 1.0}, {0.0, 0.0, kSpeed, kSpeed});
  return base;
}

class MotionJumps : public ::testing::TestWithParam<SchemeCase> {
 protected:
  static Result runOf(Study study) {
    const SchemeCase& c = GetParam();
    study.transient->scheme = c.direct ? "kick_drift" : c.scheme;
    study.direct.scheme = c.scheme;
    if (c.step > 0.0) study.transient->step = study.direct.step = c.step;
    return run(study, {.direct = c.direct, .archiveTimes = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4}});
  }
};

/// Two masses in a row behind a support, the first with dashpots to the support and to the ground.
struct SpringChain {
  static constexpr double k1 = 100.0, k2 = 60.0, c1 = 3.0, c2 = 2.0, m1 = 1.0, m2 = 0.5;

  static Study study() {
    Study study;
    const NodeIndex g = study.addNode("g", {-1.0, 0.0, 0.0}), a = study.addNode("a"),
                    b = study.addNode("b", {1.0, 0.0, 0.0});
    study.addMass({a}, m1);
    study.addMass({b}, m2);
    study.addSpring(g, a, {k1, 0.0, 0.0});
    study.addSpring(a, b, {k2, 0.0, 0.0});
    study.addDashpot(g, a, {c1, 0.0, 0.0});
    study.addDashpot(a, {c2, 0.0, 0.0});
    study.fix({g, a, b}, {Component::uy, Component::uz});
    study.fix({g}, {Component::ux});
    study.transient.emplace().duration = kEnd;
    BaseMotion base = baseThatJumps();
    base.ofSupports = true;
    base.supports = {{g, Component::ux}};
    study.baseMotions.push_back(base);
    return study;
  }

  /// Displacements and velocities of both masses in space; the state ends with s and s'.
  static Eigen::Vector4d at(double t) {
    Eigen::Matrix<double, 6, 6> a = Eigen::Matrix<double, 6, 6>::Zero();
    a(0, 2) = a(1, 3) = a(4, 5) = 1.0;
    a.row(2) << -(k1 + k2) / m1, k2 / m1, -(c1 + c2) / m1, 0.0, k1 / m1, c1 / m1;
    a.row(3) << k2 / m2, -k2 / m2, 0.0, 0.0, 0.0, 0.0;
    Eigen::Vector<double, 6> z = Eigen::Vector<double, 6>::Zero();
    if (t < kStruck) return z.head<4>();
    z[5] = kSpeed;
    z = Eigen::Vector<double, 6>((a * (std::min(t, kMoved) - kStruck)).exp() * z);
    if (t < kMoved) return z.head<4>();
    z[2] += c1 * kShift / m1;
    z[4] += kShift;
    return Eigen::Vector<double, 6>((a * (t - kMoved)).exp() * z).head<4>();
  }

  static void expectMotion(const Result& result, double tolerance) {
    const auto a = result.displacement(NodeIndex{1}, Component::ux);
    const auto b = result.velocity(NodeIndex{2}, Component::ux);
    const BaseMotion base = baseThatJumps();
    for (std::size_t i = 0; i < result.time().size(); ++i) {
      const double t = result.time()[i];
      const Eigen::Vector4d expected = at(t);
      EXPECT_NEAR(a[i] + base.displacement->at(t), expected[0], tolerance) << "at " << t << " s";
      EXPECT_NEAR(b[i] + base.velocity->at(t), expected[3], 10.0 * tolerance) << "at " << t << " s";
    }
    EXPECT_EQ(result.report().status, RunStatus::complete);
    EXPECT_LT(std::abs(result.report().energyError), std::max(1e-12, 100.0 * tolerance));
  }
};

TEST_P(MotionJumps, OfASupportLeaveMassesInPlace) {
  SpringChain::expectMotion(runOf(SpringChain::study()), GetParam().tolerance);
}

/// With a contact, the coordinates describe the motion in space.
TEST_P(MotionJumps, OfASupportBesideAContact) {
  Study study = SpringChain::study();
  ContactRequest far;
  far.name = "far";
  far.first = NodeIndex{2};
  far.obstacle = Plane{};
  far.frame = contactFrame({-1.0, 0.0, 0.0});
  far.origin = {5.0, 0.0, 0.0};
  far.normal = LinearPenalty{.stiffness = 1e3};
  study.contacts.push_back(far);
  SpringChain::expectMotion(runOf(study), GetParam().tolerance);
}

/// A link instead of the spring to the support sees masses and support jump at once.
TEST_P(MotionJumps, OfASupportWithALink) {
  Study study = SpringChain::study();
  constexpr double kHalf = 0.5 * SpringChain::k1;
  study.addSpring(NodeIndex{0}, NodeIndex{1}, {-kHalf, 0.0, 0.0});
  constexpr std::array<std::string_view, 1> kPlace{"x"};
  LinkRequest link;
  link.name = "link";
  link.first = NodeIndex{1};
  link.second = NodeIndex{0};
  link.axes = {{1.0}};
  link.law = ForceDisplacement{.function = LinkFunction(Formula::parse("50 * x", kPlace))};
  study.links.push_back(link);
  SpringChain::expectMotion(runOf(study), GetParam().tolerance);
}

/// A mass on a spring and a dashpot in a frame.
TEST_P(MotionJumps, OfAFrameLeaveAMassInPlace) {
  constexpr double k = 200.0, c = 4.0, m = 2.0;
  Study study;
  const NodeIndex node = study.addNode("m");
  study.addMass({node}, m);
  study.addSpring(node, {k, 0.0, 0.0});
  study.addDashpot(node, {c, 0.0, 0.0});
  study.fix({node}, {Component::uy, Component::uz});
  study.transient.emplace().duration = kEnd;
  study.baseMotions.push_back(baseThatJumps());
  const Result result = runOf(study);
  const auto u = result.displacement(node, Component::ux), v = result.velocity(node, Component::ux);
  Eigen::Matrix2d a;
  a << 0.0, 1.0, -k / m, -c / m;
  const auto at = [&](double t) {
    Eigen::Vector2d z = Eigen::Vector2d::Zero();
    if (t < kStruck) return z;
    z[1] = -kSpeed;
    z = Eigen::Vector2d((a * (std::min(t, kMoved) - kStruck)).exp() * z);
    if (t < kMoved) return z;
    z += Eigen::Vector2d(-kShift, c * kShift / m);
    return Eigen::Vector2d((a * (t - kMoved)).exp() * z);
  };
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double t = result.time()[i];
    EXPECT_NEAR(u[i], at(t)[0], GetParam().tolerance) << "at " << t << " s";
    EXPECT_NEAR(v[i], at(t)[1], 10.0 * GetParam().tolerance) << "at " << t << " s";
  }
  EXPECT_LT(std::abs(result.report().energyError), std::max(1e-12, 100.0 * GetParam().tolerance));
}

/// A mass that 10 N press against a wall behind 1e4 N/m; the wall jumps by 0.01 m towards it at 0.25 s.
TEST_P(MotionJumps, OfAWallStretchTheSpringOfAContact) {
  if (GetParam().scheme == "moreau") GTEST_SKIP();  // walls that jump push with the mean force of a step
  Study study;
  const NodeIndex wall = study.addNode("w"), node = study.addNode("m");
  study.addMass({node}, 1.0);
  study.addSpring(wall, {1.0, 0.0, 0.0});
  study.addSpring(node, {1e-9, 0.0, 0.0});
  study.fix({wall, node}, {Component::uy, Component::uz});
  study.fix({wall}, {Component::ux});
  study.loads.push_back({.node = node, .components = {-10.0}});
  study.initialDisplacement.push_back({node, {-1e-3}});
  ContactRequest contact;
  contact.name = "c";
  contact.first = node;
  contact.obstacle = Plane{};
  contact.frame = contactFrame({1.0, 0.0, 0.0});
  contact.normal = LinearPenalty{.stiffness = 1e4};
  contact.carriers = {{wall, Component::ux}};
  study.contacts.push_back(contact);
  BaseMotion base;
  base.direction = {1.0};
  base.ofSupports = true;
  base.supports = {{wall, Component::ux}};
  base.displacement = tableOfValues({0.0, kMoved, kMoved, 1.0}, {0.0, 0.0, kShift, kShift});
  base.velocity = TimeFunction::constant(0.0);
  study.baseMotions.push_back(base);
  study.transient.emplace().duration = kEnd;
  const Result result = runOf(study);
  const auto x = result.displacement(node, Component::ux);
  // (x - s)'' = -1e4 ((x - s) + 1e-3) from x - s = -0.011 until x = s, then a flight
  const double leaves = std::acos(-0.1) / 100.0, speed = std::sqrt(0.99);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double after = result.time()[i] - kMoved, flown = after - leaves;
    const double expected = after <= 0.0  ? -1e-3
                            : flown < 0.0 ? kShift - 1e-3 - 0.01 * std::cos(100.0 * after)
                                          : kShift + speed * flown - 5.0 * flown * flown;
    EXPECT_NEAR(x[i], expected, 20.0 * GetParam().tolerance) << "at " << result.time()[i] << " s";
  }
}

constexpr double kFine = 2e-5;  // [s]
INSTANTIATE_TEST_SUITE_P(
    Schemes, MotionJumps,
    ::testing::Values(SchemeCase{"event", false, 0.0, 1e-12}, SchemeCase{"kick_drift", false, kFine, 1e-8},
                      SchemeCase{"central_difference", false, kFine, 1e-8},
                      SchemeCase{"symplectic_euler", false, kFine, 2e-5},
                      SchemeCase{"newmark", false, kFine, 1e-8}, SchemeCase{"hht", false, kFine, 1e-8},
                      SchemeCase{"devogelaere", false, kFine, 1e-9}, SchemeCase{"rk32", false, 0.0, 1e-6},
                      SchemeCase{"rk54", false, 0.0, 1e-6}, SchemeCase{"adaptive_central", false, 0.0, 1e-4},
                      SchemeCase{"moreau", false, kFine, 1e-6}, SchemeCase{"newmark", true, kFine, 1e-8},
                      SchemeCase{"hht", true, kFine, 1e-8},
                      SchemeCase{"central_difference", true, kFine, 1e-8}));

/// A mass that 10 N press against a rigid wall, without any spring; the wall has the velocity `speed` from
/// 0.1 s on.
Study pressedAgainstWall(double speed, double restitution) {
  Study study;
  const NodeIndex wall = study.addNode("w"), node = study.addNode("m");
  study.addMass({node}, 1.0);
  study.addSpring(wall, {1.0, 0.0, 0.0});
  study.fix({wall, node}, {Component::uy, Component::uz});
  study.fix({wall}, {Component::ux});
  study.loads.push_back({.node = node, .components = {-10.0}});
  ContactRequest contact;
  contact.name = "c";
  contact.first = node;
  contact.obstacle = Plane{};
  contact.frame = contactFrame({1.0, 0.0, 0.0});
  contact.normal = Rigid{.restitution = restitution};
  contact.carriers = {{wall, Component::ux}};
  study.contacts.push_back(contact);
  BaseMotion base;
  base.direction = {1.0};
  base.ofSupports = true;
  base.supports = {{wall, Component::ux}};
  base.displacement = tableOfValues({0.0, kStruck, 1.0}, {0.0, 0.0, speed * (1.0 - kStruck)});
  base.velocity = tableOfValues({0.0, kStruck, kStruck, 1.0}, {0.0, 0.0, speed, speed});
  study.baseMotions.push_back(base);
  study.transient.emplace().duration = kEnd;
  study.transient->scheme = "event";
  return study;
}

TEST(MotionJump, OfARigidWallIsAnImpact) {
  // It leaves at 0.15 m/s, 0.05 m/s faster than the wall, and falls back after 0.01 s.
  const Result result = run(pressedAgainstWall(0.1, 0.5), {.archiveTimes = {0.1, 0.105, 0.2, 0.4}});
  const auto x = result.displacement(NodeIndex{1}, Component::ux);
  EXPECT_NEAR(x[1], 0.15 * 0.005 - 5.0 * 0.005 * 0.005, 1e-13);
  EXPECT_NEAR(x[2], 0.01, 1e-12);
  EXPECT_NEAR(x[3], 0.03, 1e-12);
  EXPECT_NEAR(result.contact("c")[3].normalForce, 10.0, 1e-9);
  EXPECT_NEAR(result.event("c", EventKind::opening), 0.1, 1e-13);
  EXPECT_NEAR(result.event("c", EventKind::closing, 1), 0.11, 1e-12);
  EXPECT_LT(std::abs(result.report().energyError), 1e-10);
}

TEST(MotionJump, OfARigidWallLeavesTheMass) {
  // The wall leaves at 0.1 m/s; the mass falls after it and reaches it after 0.02 s.
  const Result result = run(pressedAgainstWall(-0.1, 0.0), {.archiveTimes = {0.11, 0.2}});
  const auto x = result.displacement(NodeIndex{1}, Component::ux);
  EXPECT_NEAR(x[0], -5e-4, 1e-13);
  EXPECT_NEAR(x[1], -0.01, 1e-12);
  EXPECT_NEAR(result.event("c", EventKind::closing, 1), 0.12, 1e-12);
}

/// A block of 1 kg on the rigid floor of a frame whose velocity jumps, with the friction mu = 0.3 under 10 N.
Study blockInFrame(const std::array<double, 3>& direction, std::string_view scheme) {
  Study study;
  const NodeIndex node = study.addNode("block");
  study.addMass({node}, 1.0);
  study.fix({node}, {Component::uy});
  study.loads.push_back({.node = node, .components = {0.0, 0.0, -10.0}});
  ContactRequest sole;
  sole.name = "sole";
  sole.first = node;
  sole.obstacle = Plane{};
  sole.frame = contactFrame({0.0, 0.0, 1.0});
  sole.normal = Rigid{.restitution = 0.5};
  sole.friction.law = Coulomb{.muStatic = 0.3, .muDynamic = 0.3};
  study.contacts.push_back(sole);
  BaseMotion base = baseThatJumps(0.0);
  base.direction = {direction[0], direction[1], direction[2]};
  study.baseMotions.push_back(base);
  study.transient.emplace().duration = kEnd;
  study.transient->scheme = scheme;
  if (scheme != "event") study.transient->step = kFine;
  return study;
}

TEST(MotionJump, OfAFrameLetsABlockSlide) {
  for (const std::string_view scheme : {"event", "moreau"}) {
    const Result result = run(blockInFrame({1.0, 0.0, 0.0}, scheme), {.archiveTimes = {0.1, 0.2, 0.4}});
    const auto x = result.displacement(NodeIndex{0}, Component::ux);
    const double tolerance = scheme == "event" ? 1e-12 : 1e-6;
    // it slides at -0.5 m/s + 3 m/s^2 (t - 0.1 s), and rests after 1/24 m
    EXPECT_NEAR(x[1], -0.05 + 1.5 * 0.01, tolerance) << scheme;
    EXPECT_NEAR(x[2], -0.25 / 6.0, tolerance) << scheme;
  }
}

TEST(MotionJump, OfAFrameThrowsABlockUp) {
  // The floor strikes at 0.5 m/s; the block leaves it at 0.25 m/s and comes back after 0.05 s.
  const Result result = run(blockInFrame({0.0, 0.0, 1.0}, "event"), {.archiveTimes = {0.12, 0.4}});
  const auto z = result.displacement(NodeIndex{0}, Component::uz);
  EXPECT_NEAR(z[0], 0.25 * 0.02 - 5.0 * 0.02 * 0.02, 1e-13);
  EXPECT_NEAR(z[1], 0.0, 1e-12);
  EXPECT_NEAR(result.event("sole", EventKind::closing, 1), 0.15, 1e-12);
  EXPECT_LT(std::abs(result.report().energyError), 1e-10);
}

std::string refusalOf(const Study& study) {
  try {
    run(study);
  } catch (const StudyError& error) {
    return error.problems().front().path + ": " + error.problems().front().problem;
  }
  return {};
}

TEST(MotionJump, IsRefusedWhereNoForceIsFinite) {
  Study wall = pressedAgainstWall(0.1, 0.5);
  wall.baseMotions[0].displacement = baseThatJumps().displacement;
  EXPECT_THAT(refusalOf(wall),
              HasSubstr("base_motions.displacement: jumps and moves contact c at once, and a "
                        "rigid body cannot give way"));
  Study dashpot = SpringChain::study();
  dashpot.transient->scheme = "event";
  LinkRequest link;
  link.name = "dashpot";
  link.first = NodeIndex{1};
  link.second = NodeIndex{0};
  link.axes = {{1.0}};
  constexpr std::array<std::string_view, 1> kSpeedName{"v"};
  link.law = ForceVelocity{.function = LinkFunction(Formula::parse("3 * v", kSpeedName))};
  dashpot.links.push_back(link);
  EXPECT_THAT(refusalOf(dashpot), HasSubstr("moves link dashpot at once, whose force depends on the speed"));
  Study formula = SpringChain::study();
  formula.transient->scheme = "event";
  constexpr std::array<std::string_view, 1> kClock{"t"};
  formula.baseMotions[0].velocity = TimeFunction::formula(Formula::parse("if(t < 0.123, 0, 1)", kClock));
  EXPECT_THAT(refusalOf(formula), HasSubstr("base_motions.velocity: jumps near 0.123 s by a formula"));
}

}  // namespace
}  // namespace ricochet
