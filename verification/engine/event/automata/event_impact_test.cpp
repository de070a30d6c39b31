// Impacts at the limit of resolution, grazing impacts, infinitely many impacts in a finite time, and the
// effect of velocity jumps on friction.

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace ricochet {
namespace {

/// x = sin(omega t) towards a stop at `distance`, for three quarters of a period, with a single peak of 1 m.
test::Outcome swingTowardsStop(double distance, double omega, const AnyNormalLaw& law) {
  test::ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = omega * omega});
  parts.contacts.push_back(test::contactOf(1, Plane{}, law));
  parts.contacts.back().offset[0] = distance;
  parts.contacts.back().rows(0, 0) = -1.0;
  State initial(1);
  initial.v[0] = omega;
  return test::runModel(parts.build(), kEventScheme, initial,
                        {.end = 1.5 * std::numbers::pi / omega, .step = 1.0, .archiveEvery = 1 << 30});
}

const std::vector<AnyNormalLaw> kLaws{LinearPenalty{.stiffness = 1e3},
                                      LinearPenalty{.stiffness = 1e9},
                                      LinearPenalty{.stiffness = 1e6, .damping = 10.0},
                                      Rigid{0.0},
                                      Rigid{0.5},
                                      Rigid{1.0}};

TEST(EventImpact, GrazingByAMillionthOfAMillionthIsSeen) {
  for (const AnyNormalLaw& law : kLaws)
    for (const double omega : {1.0, 2.0, 37.0, 1234.5})
      for (const double excess : {1e-12, 1e-11, 1e-10, 1e-8, 1e-5}) {
        const test::Outcome run = swingTowardsStop(1.0 - excess, omega, law);
        SCOPED_TRACE(testing::Message() << "law " << law.index() << ", omega " << omega << ", " << excess);
        ASSERT_EQ(run.report.status, RunStatus::complete);
        ASSERT_EQ(run.seen.times(EventKind::closing).size(), 1U);
        ASSERT_EQ(run.seen.times(EventKind::opening).size(), 1U);
        ASSERT_EQ(run.seen.all.size(), 2U);
        // sin(omega t) = 1 - excess; rounding errors are divided by the slope sqrt(2 excess).
        const double slope = std::sqrt(excess * (2.0 - excess));
        EXPECT_NEAR(omega * run.seen.times(EventKind::closing)[0], std::asin(1.0 - excess), 1e-14 / slope);
      }
}

TEST(EventImpact, PassingByAMillionthOfAMillionthIsNoImpact) {
  for (const AnyNormalLaw& law : kLaws)
    for (const double omega : {1.0, 2.0, 37.0, 1234.5})
      for (const double missing : {1e-12, 1e-11, 1e-10, 1e-8, 1e-5}) {
        const test::Outcome run = swingTowardsStop(1.0 + missing, omega, law);
        ASSERT_EQ(run.report.status, RunStatus::complete);
        EXPECT_TRUE(run.seen.all.empty()) << "law " << law.index() << ", omega " << omega << ", " << missing;
      }
}

/// A ball dropped from rest falls for t0 = sqrt(2 h/g) and comes to rest at t0 (1 + e)/(1 - e).
TEST(EventImpact, ABouncingBallRestsAtItsZenoTime) {
  constexpr double kGravity = 9.81, kMass = 2.0;
  for (const double height : {0.013, 1.7})
    for (const double restitution : {0.0, 0.1, 0.5, 0.9, 0.99}) {
      test::ModelParts parts = test::oscillator({.mass = kMass});
      Contact contact = test::contactOf(1, Plane{}, Rigid{restitution});
      contact.offset[0] = height;
      contact.rows(0, 0) = 1.0 / std::sqrt(kMass);
      parts.contacts.push_back(contact);
      parts.loads.push_back(
          {Vector::Constant(1, 1.0 / std::sqrt(kMass)), TimeFunction::constant(-kMass * kGravity)});
      const double zeno = std::sqrt(2.0 * height / kGravity) * (1.0 + restitution) / (1.0 - restitution);
      const test::Outcome run = test::runModel(
          parts.build(), kEventScheme, State(1),
          {.end = 2.0 * zeno, .step = 1.0, .archiveEvery = 1 << 30, .instants = {1.001 * zeno}});
      SCOPED_TRACE(testing::Message() << "e = " << restitution << " from " << height << " m");
      ASSERT_EQ(run.report.status, RunStatus::complete);
      const std::vector<double> closings = run.seen.times(EventKind::closing);
      const std::vector<double> openings = run.seen.times(EventKind::opening);
      ASSERT_EQ(closings.size(), openings.size() + 1);
      EXPECT_NEAR(closings.back(), zeno, 1e-10 * zeno);

      ASSERT_EQ(run.seen.shown.size(), 1U);
      for (const test::Recorder::Row& row : {run.seen.shown[0].second, run.seen.rows.back()}) {
        EXPECT_NEAR(row.contacts[0].gap, 0.0, 1e-12 * height);
        EXPECT_NEAR(row.state.v[0], 0.0, 1e-12 * std::sqrt(kGravity * height));
        EXPECT_NE(row.contacts[0].phase, ContactPhase::open);
        EXPECT_NEAR(row.contacts[0].normalForce, kMass * kGravity, 1e-12 * kMass * kGravity);
      }
      const double fallen = kMass * kGravity * height;
      EXPECT_NEAR(run.report.energy.damping, fallen, 1e-11 * fallen);
      EXPECT_LT(run.report.energyError, 1e-11);
    }
}

/// Free masses of 1 kg, initially at rest.
struct Masses {
  explicit Masses(Eigen::Index count) : initial(count) {
    parts.linear = LinearSystem(Vector::Zero(count), Matrix::Zero(count, count), true);
  }

  /// Adds friction to a coordinate with mu_s N = 1.5 N and mu_d N = 1 N: N is imposed, or another coordinate
  /// is pressed on a Hertz contact and stays at its equilibrium.
  void addFriction(Eigen::Index on, std::optional<Eigen::Index> pressed) {
    constexpr double kForce = 5.0, kHertz = 1e6;
    const Coulomb law{0.3, 0.2};
    const Eigen::Index count = parts.linear.modes;
    Contact contact = pressed ? test::contactOf(count, Plane{}, Hertz{.stiffness = kHertz}, law)
                              : test::contactOf(count, NoObstacle{}, ImposedForce{}, law);
    contact.rows(1, on) = 1.0;
    contact.imposedForce = TimeFunction::constant(kForce);
    if (pressed) {
      contact.rows(0, *pressed) = 1.0;
      initial.q[*pressed] = -std::pow(kForce / kHertz, 2.0 / 3.0);
      parts.loads.push_back({Vector::Unit(count, *pressed), TimeFunction::constant(-kForce)});
    }
    parts.contacts.push_back(contact);
  }

  test::ModelParts parts;
  State initial;
};

TransientOptions optionsWithEnd(double end) {
  return {.end = end, .step = 1.0, .archiveEvery = 1 << 30, .instants = {end}};
}

/// A body slides at 1 m/s against 1 m/s^2 to a stop 0.3 m ahead, and rebounds.
TEST(EventImpact, AStopTurnsASlipBack) {
  constexpr double kRestitution = 0.6, kDistance = 0.3;
  for (const bool linear : {true, false}) {
    Masses masses(2);
    Contact stop = test::contactOf(2, Plane{}, Rigid{kRestitution});
    stop.offset[0] = kDistance;
    stop.rows(0, 0) = -1.0;
    masses.parts.contacts.push_back(stop);
    masses.addFriction(0, linear ? std::nullopt : std::optional<Eigen::Index>(1));
    masses.initial.v[0] = 1.0;
    const test::Outcome run =
        test::runModel(masses.parts.build(), kEventScheme, masses.initial, optionsWithEnd(2.0));
    SCOPED_TRACE(linear);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const double before = std::sqrt(1.0 - 2.0 * kDistance), after = kRestitution * before;
    ASSERT_EQ(run.seen.times(EventKind::slipReversal).size(), 1U);
    EXPECT_NEAR(run.seen.times(EventKind::slipReversal)[0], 1.0 - before, 1e-12);
    ASSERT_EQ(run.seen.times(EventKind::slipToStick).size(), 1U);
    EXPECT_NEAR(run.seen.times(EventKind::slipToStick)[0], 1.0 - before + after, 1e-12);
    EXPECT_TRUE(run.seen.times(EventKind::stickToSlip).empty());
    EXPECT_NEAR(run.state.q[0], kDistance - 0.5 * after * after, 1e-12);
    EXPECT_NEAR(run.report.energy.friction, kDistance + 0.5 * after * after, 1e-12);
    EXPECT_LT(run.report.energyError, 1e-12);
  }
}

/// A body at 1 m/s strikes a sticking body, which gets (1 + e)/2 m/s and is stopped again by 1 m/s^2.
TEST(EventImpact, AHammerTearsAStickLoose) {
  constexpr double kRestitution = 0.5, kDistance = 0.25;
  for (const bool linear : {true, false}) {
    Masses masses(3);
    Contact hammer = test::contactOf(3, Plane{}, Rigid{kRestitution});
    hammer.offset[0] = kDistance;
    hammer.rows.row(0) << 1.0, -1.0, 0.0;
    masses.parts.contacts.push_back(hammer);
    masses.addFriction(0, linear ? std::nullopt : std::optional<Eigen::Index>(2));
    masses.initial.v[1] = 1.0;
    const test::Outcome run =
        test::runModel(masses.parts.build(), kEventScheme, masses.initial, optionsWithEnd(1.2));
    SCOPED_TRACE(linear);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const double struck = 0.5 * (1.0 + kRestitution);
    ASSERT_EQ(run.seen.times(EventKind::stickToSlip).size(), 1U);
    EXPECT_NEAR(run.seen.times(EventKind::stickToSlip)[0], kDistance, 1e-14);
    ASSERT_EQ(run.seen.times(EventKind::slipToStick).size(), 1U);
    EXPECT_NEAR(run.seen.times(EventKind::slipToStick)[0], kDistance + struck, 1e-12);
    EXPECT_NEAR(run.state.q[0], 0.5 * struck * struck, 1e-12);
    EXPECT_NEAR(run.state.v[0], 0.0, 1e-14);
    EXPECT_LT(run.report.energyError, 1e-12);
  }
}

/// A body under a braking force of 5 N and a normal force of 10 N, (x, y), slides at first. A mass that falls
/// on this body at 10 m/s stops it, as mu_d p is 2 N s, and the body then moves in the other direction.
TEST(EventImpact, AHammerStopsASlipThatGoesBack) {
  Masses masses(3);
  Contact floor = test::contactOf(3, Plane{}, Rigid{0.0}, Coulomb{0.3, 0.2});
  floor.rows(0, 1) = floor.rows(1, 0) = 1.0;
  Contact hammer = test::contactOf(3, Plane{}, Rigid{0.0});
  hammer.offset[0] = 0.5;
  hammer.rows.row(0) << 0.0, -1.0, 1.0;
  masses.parts.contacts = {floor, hammer};
  masses.parts.loads.push_back({Vector{{-5.0, -10.0, 0.0}}, TimeFunction::constant(1.0)});
  masses.initial.v.head(3) << 0.5, 0.0, -10.0;
  const test::Outcome run =
      test::runModel(masses.parts.build(), kEventScheme, masses.initial, optionsWithEnd(0.1));
  ASSERT_EQ(run.report.status, RunStatus::complete);
  ASSERT_EQ(run.seen.times(EventKind::slipReversal).size(), 1U);
  EXPECT_NEAR(run.seen.times(EventKind::slipReversal)[0], 0.05, 1e-15);
  EXPECT_TRUE(run.seen.times(EventKind::slipToStick).empty());
  EXPECT_TRUE(run.seen.times(EventKind::stickToSlip).empty());
  EXPECT_NEAR(run.state.v[0], -(5.0 - 2.0) * 0.05, 1e-14);
  EXPECT_LT(run.report.energyError, 1e-13);
}

/// A body on a belt that jumps to 1 m/s, and jumps back before the body has reached this speed.
TEST(EventImpact, ABeltThatJumpsTearsAStickLooseAndTurnsASlip) {
  const std::array times{0.0, 0.1, 0.1, 0.6, 0.6, 10.0};
  const std::array speeds{0.0, 0.0, 1.0, 1.0, -1.0, -1.0};
  const auto outside = TimeFunction::Outside::constant;
  for (const bool linear : {true, false}) {
    Masses masses(2);
    masses.addFriction(0, linear ? std::nullopt : std::optional<Eigen::Index>(1));
    masses.parts.contacts[0].surface.push_back(
        {TimeFunction::table(times, speeds, outside, outside), {1.0, 0.0}});
    const test::Outcome run =
        test::runModel(masses.parts.build(), kEventScheme, masses.initial, optionsWithEnd(2.5));
    SCOPED_TRACE(linear);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    ASSERT_EQ(run.seen.all.size(), 3U);
    EXPECT_EQ(run.seen.times(EventKind::stickToSlip), std::vector{0.1});
    EXPECT_EQ(run.seen.times(EventKind::slipReversal), std::vector{0.6});
    ASSERT_EQ(run.seen.times(EventKind::slipToStick).size(), 1U);
    EXPECT_NEAR(run.seen.times(EventKind::slipToStick)[0], 2.1, 1e-12);  // velocity from 0.5 to -1 m/s
    EXPECT_NEAR(run.state.v[0], -1.0, 1e-13);
    EXPECT_NEAR(run.state.q[0], 0.125 - 0.375 - 0.4, 1e-12);
    EXPECT_NEAR(run.report.energy.friction, 0.375 + 1.125, 1e-12);
    EXPECT_LT(run.report.energyError, 1e-12);
  }
}

/// mu_d N = N/5 brakes a body of 1 kg until N jumps from 5 N to -5 N, from where it comes back in 0.1 s.
TEST(EventImpact, AForceThatJumpsBelowZeroLetsGoUntilItIsBack) {
  const std::array times{0.0, 0.1, 0.1, 0.2, 10.0};
  const std::array forces{5.0, 5.0, -5.0, 5.0, 5.0};
  const auto outside = TimeFunction::Outside::constant;
  Masses masses(1);
  masses.addFriction(0, std::nullopt);
  masses.parts.contacts[0].imposedForce = TimeFunction::table(times, forces, outside, outside);
  masses.initial.v[0] = 1.0;
  const test::Outcome run =
      test::runModel(masses.parts.build(), kEventScheme, masses.initial, optionsWithEnd(0.3));
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_EQ(run.seen.times(EventKind::opening), std::vector{0.1});
  ASSERT_EQ(run.seen.times(EventKind::closing).size(), 1U);
  EXPECT_NEAR(run.seen.times(EventKind::closing)[0], 0.15, 1e-15);
  EXPECT_NEAR(run.state.v[0], 1.0 - (0.1 * 5.0 + 0.05 * 2.5 + 0.1 * 5.0) / 5.0, 1e-15);
  EXPECT_LT(run.report.energyError, 1e-14);
}

/// 1 kg on a rigid plane, where the lifting load jumps to d above the weight and decreases by 1 N/s: the body
/// rises by d t^2/2 - t^3/6, and lands after 3 d s.
TEST(EventImpact, AReactionThatJumpsBarelyBelowZeroLetsGo) {
  constexpr double kJump = 0.1;
  for (const double excess : {1e-5, 1e-7, 1e-9}) {
    SCOPED_TRACE(excess);
    test::ModelParts parts = test::oscillator({.mass = 1.0});
    Contact contact = test::contactOf(1, Plane{}, Rigid{.restitution = 0.0});
    contact.rows(0, 0) = 1.0;
    parts.contacts.push_back(contact);
    parts.loads.push_back({Vector::Constant(1, -10.0), TimeFunction::constant(1.0)});
    const std::array times{0.0, kJump, kJump, 1.0};
    const std::array values{9.0, 9.0, 10.0 + excess, 10.0 + excess - 0.9};
    constexpr auto kOutside = TimeFunction::Outside::constant;
    parts.loads.push_back({Vector::Constant(1, 1.0), TimeFunction::table(times, values, kOutside, kOutside)});
    const test::Outcome run = test::runModel(parts.build(), kEventScheme, State(1), optionsWithEnd(0.5));
    ASSERT_EQ(run.report.status, RunStatus::complete);
    ASSERT_EQ(run.seen.all.size(), 2U);
    EXPECT_EQ(run.seen.all[0].kind, EventKind::opening);
    EXPECT_NEAR(run.seen.all[0].time, kJump, 1e-15);
    EXPECT_NEAR(run.seen.all[1].time, kJump + 3.0 * excess, 1e-6 * excess + 1e-14);
  }
}

/// A body with more effect of friction than of the normal impulse on its normal velocity (mu |G_nt| > G_nn),
/// struck from many directions: the velocities after the impact satisfy Newton's and Coulomb's laws.
TEST(EventImpact, AnEntangledImpactObeysItsLaws) {
  constexpr double kMu = 0.8, kRestitution = 0.3, kGap = 1e-3;
  for (const bool plane : {false, true})
    for (int i = 0; i < 24; ++i) {
      SCOPED_TRACE(testing::Message() << "plane " << plane << ", " << i);
      const double angle = 2.0 * std::numbers::pi * (i + 0.3) / 24.0;
      const Eigen::Index modes = plane ? 3 : 2;
      test::ModelParts parts;
      parts.linear = LinearSystem(Vector::Zero(modes), Matrix::Zero(modes, modes), false);
      Contact contact = test::contactOf(modes, Plane{}, Rigid{kRestitution}, Coulomb{kMu, kMu});
      contact.rows(0, 0) = 0.6;
      contact.rows(1, 0) = 0.9;
      contact.rows(1, 1) = 0.5;
      if (plane) contact.rows(2, 0) = -0.4;
      if (plane) contact.rows(2, 2) = 0.7;
      contact.offset[0] = kGap;
      parts.contacts.push_back(contact);
      State initial(modes);
      initial.v[0] = -1.0 / 0.6;
      const double slip = 1.5 * std::cos(angle);
      initial.v[1] = (slip - 0.9 * initial.v[0]) / 0.5;
      if (plane) initial.v[2] = (1.5 * std::sin(angle) + 0.4 * initial.v[0]) / 0.7;
      const Vector before = initial.v.head(modes);
      const test::Outcome run = test::runModel(parts.build(), kEventScheme, initial, optionsWithEnd(2e-3));
      ASSERT_EQ(run.report.status, RunStatus::complete);
      const Vector change = run.state.v.head(modes) - before;
      const Vector after = contact.rows * run.state.v.head(modes);
      EXPECT_NEAR(after[0], kRestitution, 1e-13);
      // The impulses follow from the change of the velocities, because the rows are independent.
      const Vector impulse = contact.rows.topRows(modes).transpose().fullPivLu().solve(change);
      const Vector pull = impulse.tail(modes - 1), rate = after.segment(1, modes - 1);
      EXPECT_GT(impulse[0], 0.0);
      EXPECT_LE(pull.norm(), kMu * impulse[0] * (1.0 + 1e-12));
      if (rate.norm() > 1e-12) {
        EXPECT_NEAR((pull + kMu * impulse[0] * rate.normalized()).norm(), 0.0, 1e-10 * impulse[0]);
      }
      EXPECT_LT(run.report.energyError, 1e-14);
    }
}

}  // namespace
}  // namespace ricochet
