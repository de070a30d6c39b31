// Contacts at a massless node whose forces depend on the rate of the node, or rotate with its displacement.

#include "verification/engine/study/massless_tip.hpp"

namespace ricochet::test::tip {
namespace {

class MasslessRates : public MasslessTip {};

/// A spring and a dashpot at a massless tip: c y' = K (u - y) - k (y - gap).
TEST_P(MasslessRates, AStopWithADashpot) {
  constexpr double kDamping = 200.0;  // [N s/m]
  // The internal variable is the penetration of the tip, whose contact force K (u - y) acts while it is
  // positive.
  const auto push = [](const std::array<double, 2>& u, double depth) {
    return kSpring * (u[0] - kGap - depth);
  };
  const Reference reference{.tipOf =
                                [=](const auto& u, double depth) {
                                  return std::array{push(u, depth) > 0.0 ? kGap + depth : u[0], 0.0};
                                },
                            .drift =
                                [=](const auto& u, double depth) {
                                  return push(u, depth) > 0.0 ? (push(u, depth) - kStop * depth) / kDamping
                                                              : 0.0;
                                }};
  const Result result =
      expectMotion(struck(LinearPenalty{.stiffness = kStop, .damping = kDamping}), reference);
  const Motion2 expected = reference.run();
  const auto stop = result.contact("stop");
  const auto rate = result.velocity(kTipNode, Component::ux);
  const double strongest = kSpring * 0.002;
  for (std::size_t i = 0; i < stop.size(); ++i) {
    const double depth = expected.tip[i][0] - kGap;
    const double pushed = std::max(0.0, kSpring * (expected.mass[i][0] - expected.tip[i][0]));
    EXPECT_NEAR(stop[i].normalForce, pushed, 10.0 * GetParam().tolerance * strongest) << result.time()[i];
    if (pushed < 0.1 * strongest) continue;
    EXPECT_NEAR(rate[i], (pushed - kStop * depth) / kDamping, 30.0 * GetParam().tolerance)
        << result.time()[i];
  }
}

/// The tip is pressed on a floor and held by a spring and a dashpot: c y' = K (u - y) - k y.
constexpr double kStick = 3e5, kStickDamping = 200.0;  // stiffness [N/m], damping [N s/m]

Study stickWithDashpotStudy() {
  Study study = struck(ImposedForce{});
  ContactRequest& pad = study.contacts.front();
  pad.obstacle = NoObstacle{};
  pad.frame = contactFrame({0.0, 0.0, 1.0});
  pad.imposedForce = TimeFunction::constant(1e4);
  pad.friction.law = RegularisedCoulomb{1.0, 1.0, kStick, kStickDamping};
  return study;
}

const Reference kHeld{
    .tipOf =
        [](const auto&, double y) {
          return std::array{y, 0.0};
        },
    .drift = [](const auto& u, double y) { return (kSpring * (u[0] - y) - kStick * y) / kStickDamping; }};

TEST_P(MasslessRates, AStickWithADashpot) { expectMotion(stickWithDashpotStudy(), kHeld); }

TEST(MasslessRate, IsOfSecondOrder) {
  const double expected = kHeld.run().mass.back()[0];
  const auto error = [&](double step) {
    Study study = stickWithDashpotStudy();
    study.transient->scheme = "kick_drift";
    study.transient->step = step;
    return run(study).displacement(kMassNode, Component::ux).back() - expected;
  };
  const double coarse = error(2e-5), fine = error(1e-5);
  EXPECT_NEAR(coarse / fine, 4.0, 0.4) << coarse << " " << fine;
}

/// A stick with a dashpot that breaks: the traction drops from mu_s N to mu_d N at once, the tip jumps by the
/// difference over K, and the spring of the stick keeps its force. The mass continues at 1 m/s:
///
///     y = V K/(K + k) (t - (1 - exp(-a t))/a),  a = (K + k)/c,  K (V t - y) = mu_s N at the breakaway
class BreakingStick : public testing::TestWithParam<SchemeCase> {
 protected:
  static constexpr double kForce = 100.0, kStatic = 1.0, kDynamic = 0.4, kAfter = 2e-4;  // [N], [s]
  static constexpr double kRate = (kSpring + kStick) / kStickDamping;                    // a [1/s]

  static double stuck(double t) {
    return kSpring / (kSpring + kStick) * (t + std::expm1(-kRate * t) / kRate);
  }
  static double stuckRate(double t) { return -kSpring / (kSpring + kStick) * std::expm1(-kRate * t); }
  static double breaksAt() {
    double low = 0.0, high = 2e-3;
    for (int i = 0; i < 60; ++i) {
      const double t = 0.5 * (low + high);
      (kSpring * (t - stuck(t)) < kStatic * kForce ? low : high) = t;
    }
    return low;
  }
  static Result runSlidingTip() {
    Study study = stickWithDashpotStudy();
    study.addMass({kMassNode}, 1e9);
    ContactRequest& pad = study.contacts.front();
    pad.imposedForce = TimeFunction::constant(kForce);
    pad.friction.law = RegularisedCoulomb{kStatic, kDynamic, kStick, kStickDamping};
    study.transient->duration = 1e-5 * std::round(1e5 * (breaksAt() + kAfter));
    const SchemeCase& c = GetParam();
    (c.direct ? study.direct.scheme : study.transient->scheme) = std::string(c.scheme);
    if (c.step > 0.0) (c.direct ? study.direct.step : study.transient->step) = c.step;
    study.transient->options.relativeTolerance = 1e-12;  // velocity of a large mass
    RunChoice choice;
    choice.direct = c.direct;
    return run(study, choice);
  }
};

TEST_P(BreakingStick, KeepsTheForceOfItsSpring) {
  const Result result = runSlidingTip();
  ASSERT_EQ(result.report().status, RunStatus::complete);
  const double begun = breaksAt(), since = result.time().back() - begun;
  EXPECT_NEAR(result.displacement(kTipNode, Component::ux).back(),
              result.time().back() - kDynamic * kForce / kSpring, 1e-9);
  const double sliding = kDynamic * kForce, jump = (kStatic - kDynamic) * kForce / kSpring;
  const double broken = kStatic * kForce - kStickDamping * stuckRate(begun);
  const double spring = sliding + (broken - sliding) * std::exp(-kStick / kStickDamping * since);
  const double lost = 0.5 * (kStatic + kDynamic) * kForce * jump + sliding * since -
                      0.5 * (spring * spring - broken * broken) / kStick;
  EXPECT_NEAR(result.report().energy.friction, lost, 2e-3 * lost);
  EXPECT_EQ(result.events().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Schemes, BreakingStick,
                         testing::Values(SchemeCase{"kick_drift", false, 1e-6, 0.0},
                                         SchemeCase{"newmark", false, 1e-6, 0.0},
                                         SchemeCase{"newmark", true, 1e-6, 0.0},
                                         SchemeCase{"rk32", false, 0.0, 0.0},
                                         SchemeCase{"rk54", false, 0.0, 0.0}),
                         nameOf);

/// A tip with a damped stick at a very large mass, under a load whose slope reverses while the tip slips: the
/// slip stops at once. With F the load and T_e the force of the spring of the stick:
///
///      stick   y' = (F - K y - T_e)/c, T_e' = k y'
///        slip   y = (F - mu N)/K, T_e' = k (mu N - T_e)/c
class TurningLoad : public testing::TestWithParam<SchemeCase> {
 protected:
  static constexpr double kForce = 100.0, kFriction = 0.5;             // [N], [-]
  static constexpr double kRise = 2e5, kFall = -1e5;                   // [N/s]
  static constexpr double kTurn = 1.2e-3, kEnd = 1.6e-3;               // [s]
  static constexpr double kRate = (kSpring + kStick) / kStickDamping;  // [1/s]

  /// Change of y after the time s in a stick that begins with y' = `rate` under a load with the slope
  /// `slope`.
  static double stuck(double rate, double slope, double s) {
    const double settled = -std::expm1(-kRate * s) / kRate;  // [s]
    return rate * settled + slope / kStickDamping * (s - settled) / kRate;
  }
  static double breaksAt() {
    double low = 0.0, high = kTurn;
    for (int i = 0; i < 60; ++i) {
      const double t = 0.5 * (low + high);
      (kRise * t - kSpring * stuck(0.0, kRise, t) < kFriction * kForce ? low : high) = t;
    }
    return low;
  }
};

TEST_P(TurningLoad, StopsTheSlip) {
  Study study = stickWithDashpotStudy();
  study.addMass({kMassNode}, 1e9);
  study.initialVelocity.clear();
  ContactRequest& pad = study.contacts.front();
  pad.imposedForce = TimeFunction::constant(kForce);
  pad.friction.law = RegularisedCoulomb{kFriction, kFriction, kStick, kStickDamping};
  const std::array times{0.0, kTurn, 2.0 * kTurn};
  const std::array values{0.0, kRise * kTurn, (kRise + kFall) * kTurn};
  study.loads.push_back({.node = kTipNode,
                         .components = {1.0},
                         .scale = TimeFunction::table(times, values, TimeFunction::Outside::constant,
                                                      TimeFunction::Outside::constant),
                         .entry = 0});
  const SchemeCase& c = GetParam();
  (c.direct ? study.direct.scheme : study.transient->scheme) = std::string(c.scheme);
  if (c.step > 0.0) (c.direct ? study.direct.step : study.transient->step) = c.step;
  study.transient->options.relativeTolerance = 1e-8;  // tolerance of schemes with step control
  study.transient->duration = kEnd;
  RunChoice choice;
  choice.direct = c.direct;
  choice.archiveTimes = {0.0, kTurn, kEnd};
  const Result result = run(study, choice);
  ASSERT_EQ(result.report().status, RunStatus::complete);
  const double begun = breaksAt(), most = kFriction * kForce, decay = kStick / kStickDamping;
  const double turned = (kRise * kTurn - most) / kSpring;
  const double spring =
      most + (kStick * stuck(0.0, kRise, begun) - most) * std::exp(-decay * (kTurn - begun));
  const auto tip = result.displacement(kTipNode, Component::ux);
  EXPECT_NEAR(tip[1], turned, c.tolerance);
  EXPECT_NEAR(tip[2], turned + stuck((most - spring) / kStickDamping, kFall, kEnd - kTurn), c.tolerance);
  ASSERT_EQ(result.events().size(), 2U);
  const double within = c.step > 0.0 ? 2e-6 : 1e-5;  // [s]
  EXPECT_NEAR(result.events()[0].time, begun, within);
  EXPECT_EQ(result.events()[1].kind, EventKind::slipToStick);
  EXPECT_NEAR(result.events()[1].time, kTurn, within);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, TurningLoad,
    testing::Values(SchemeCase{"kick_drift", false, 1e-6, 1e-8}, SchemeCase{"newmark", false, 1e-6, 1e-8},
                    SchemeCase{"newmark", true, 1e-6, 1e-8}, SchemeCase{"rk32", false, 0.0, 1e-8},
                    SchemeCase{"rk54", false, 0.0, 1e-8}, SchemeCase{"adaptive_central", false, 0.0, 1e-8}),
    nameOf);

/// A tip on springs of different stiffness in a bore, whose wall the tip strikes obliquely.
struct Bore {
  static constexpr double kRadius = 0.008, kAside = -0.003;  // [m]

  static Study study(const AnyFrictionLaw& friction) {
    Study study = slanting(friction);
    ContactRequest& contact = study.contacts.front();
    contact.obstacle = Curved{Circle{.clearance = kRadius}};
    contact.frame = Mat3::Identity();
    contact.origin = {1.0, kAside, 0.0};
    return study;
  }

  /// Position at which the springs balance the normal force of the wall and a traction of `ratio` times this
  /// force along e3 x n.
  static std::array<double, 2> tip(const std::array<double, 2>& u, double ratio) {
    const auto residual = [&](const std::array<double, 2>& w) {
      const double x = w[0], y = w[1] - kAside, r = std::hypot(x, y);
      const double push = kStop * std::max(0.0, r - kRadius);
      return std::array{kSpring * (u[0] - w[0]) - push * (x + ratio * y) / r,
                        kAcross * (u[1] - w[1]) - push * (y - ratio * x) / r};
    };
    std::array<double, 2> w = u;
    for (int round = 0; round < 30; ++round) {
      constexpr double kBit = 1e-9;
      const auto at = residual(w), byX = residual({w[0] + kBit, w[1]}), byY = residual({w[0], w[1] + kBit});
      const double a = (byX[0] - at[0]) / kBit, b = (byY[0] - at[0]) / kBit;
      const double c = (byX[1] - at[1]) / kBit, d = (byY[1] - at[1]) / kBit;
      const double x = (at[0] * d - b * at[1]) / (a * d - b * c);
      const double y = (a * at[1] - at[0] * c) / (a * d - b * c);
      w = {w[0] - x, w[1] - y};
      if (std::abs(x) + std::abs(y) < 1e-13) break;
    }
    return w;
  }
};

TEST_P(MasslessRates, ABore) {
  expectMotion(
      Bore::study(Frictionless{}),
      {.springs = {kSpring, kAcross}, .tipOf = [](const auto& u, double) { return Bore::tip(u, 0.0); }});
}

TEST_P(MasslessRates, ABoreThatRubs) {
  // The tip slides clockwise along the wall, so that the traction is anticlockwise.
  constexpr double kFriction = 0.1;
  const Result result = expectMotion(Bore::study(RegularisedCoulomb{kFriction, kFriction, 1e6}),
                                     {.springs = {kSpring, kAcross}, .tipOf = [](const auto& u, double) {
                                        return Bore::tip(u, kFriction);
                                      }});
  const auto views = result.contact("stop");
  const auto tip = result.displacement(kTipNode, Component::ux);
  const auto aside = result.displacement(kTipNode, Component::uy);
  double strongest = 0.0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const double radius = std::hypot(tip[i], aside[i] - Bore::kAside);
    EXPECT_NEAR(views[i].gap, Bore::kRadius - radius, 1e-12);
    // Rows between the steps of a scheme with step control have a linearly interpolated force.
    EXPECT_NEAR(views[i].normalForce, kStop * std::max(0.0, radius - Bore::kRadius),
                GetParam().step > 0.0 ? 1e-3 : 0.5);
    strongest = std::max(strongest, views[i].normalForce);
  }
  EXPECT_GT(strongest, 100.0);
}

TEST_P(MasslessRates, ABallWhoseCentreTheMassPasses) {
  // Without the ball the tip would be on the far side of the ball.
  constexpr double kRadius = 0.001;
  Study study = struck(LinearPenalty{.stiffness = kStop});
  ContactRequest& stop = study.contacts.front();
  stop.obstacle = Curved{Sphere{.radius = kRadius}};
  stop.frame = Mat3::Identity();
  stop.origin = {1.0 + kGap + kRadius, 0.0, 0.0};
  const auto tipOf = [](const auto& u, double) {
    return std::array{u[0] < kGap ? u[0] : (kSpring * u[0] + kStop * kGap) / (kSpring + kStop), 0.0};
  };
  const Result result = expectMotion(study, {.tipOf = tipOf});
  const auto tip = result.displacement(kTipNode, Component::ux);
  for (std::size_t i = 0; i < tip.size(); ++i)
    EXPECT_NEAR(result.contact("stop")[i].gap, kGap - tip[i], 1e-12);
}

/// A tip that moves over a ball at 1 m/s, on a spring that is softer along the motion than across: where the
/// equilibrium on the flank becomes unstable, the tip jumps to the mass. SciPy, minimum of the energy
/// followed in time: at 8.67018 ms 1.01814372 J are dissipated.
class Snap : public testing::TestWithParam<SchemeCase> {};

TEST_P(Snap, LosesTheEnergyOfItsSprings) {
  constexpr double kLost = 1.01814372, kRadius = 0.003;
  const SchemeCase& c = GetParam();
  Study study = slanting(Frictionless{});
  study.addMass({kMassNode}, 1e9);
  study.initialVelocity.clear();
  for (const NodeIndex node : {kMassNode, kTipNode}) study.initialVelocity.push_back({node, {0.0, 1.0}});
  ContactRequest& ball = study.contacts.front();
  ball.obstacle = Curved{Sphere{.radius = kRadius}};
  ball.frame = Mat3::Identity();
  ball.origin = {1.0 - 0.0005, 0.005, 0.0};
  study.transient->duration = 0.01;
  (c.direct ? study.direct.scheme : study.transient->scheme) = std::string(c.scheme);
  (c.direct ? study.direct.step : study.transient->step) = c.step;
  RunChoice choice;
  choice.direct = c.direct;
  const Result result = run(study, choice);
  ASSERT_EQ(result.report().status, RunStatus::complete);
  EXPECT_NEAR(result.event("stop", EventKind::opening), 8.67018e-3, 2.0 * c.step);
  EXPECT_NEAR(result.displacement(kTipNode, Component::ux).back(), 0.0, 1e-9);
  EXPECT_NEAR(result.report().energy.damping, kLost, c.tolerance * kLost);
  EXPECT_NEAR(result.report().energy.balanceResidual(), 0.0, c.tolerance * kLost);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Snap,
                         testing::Values(SchemeCase{"kick_drift", false, 1e-6, 1e-3},
                                         SchemeCase{"newmark", false, 1e-6, 1e-3},
                                         SchemeCase{"newmark", true, 1e-6, 1e-3}),
                         nameOf);

TEST(MasslessRate, IsRefusedWhereTheBalanceMayBeMissing) {
  const auto expectRefusal = [](Study study, std::string_view why) {
    study.transient->scheme = "kick_drift";
    try {
      static_cast<void>(prepare(study));
      ADD_FAILURE() << why;
    } catch (const StudyError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  LuGre bristles;
  bristles.muStatic = bristles.muDynamic = 0.3;
  bristles.stiffness = 1e5;
  expectRefusal(slanting(bristles), "slip speed");
  expectRefusal(Bore::study(RegularisedCoulomb{0.1, 0.1, 1e6, 10.0}), "surface that curves");
  Study shared = struck(LinearPenalty{.stiffness = kStop, .damping = 10.0});
  shared.addDashpot(kTipNode, {30.0, 0.0, 0.0});
  expectRefusal(shared, "on the same part");
}

INSTANTIATE_TEST_SUITE_P(Schemes, MasslessRates, steppingSchemes(), nameOf);

}  // namespace
}  // namespace ricochet::test::tip
