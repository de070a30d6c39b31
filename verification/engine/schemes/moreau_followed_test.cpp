// moreau on contacts whose frame turns or whose obstacle moves. References: conservation laws, closed forms,
// and integrations of the constrained motion by a separate program (Runge-Kutta, steps of 1.5e-5 s and 3e-5 s
// agree to 1e-14).

#include "verification/support/allocation_counter.hpp"
#include "verification/support/moreau_runs.hpp"
#include "verification/support/stepper.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::Outcome;
using test::Recorder;
using test::stateOf;

using test::kBowl;
using test::kFreeFall;
using test::kHole;
using test::orderOf;
using test::particle;
using test::pull;
using test::runMoreau;

double moment(const State& s) { return s.q[0] * s.v[1] - s.q[1] * s.v[0]; }

TEST(MoreauFollowed, SlidesAlongACircleForever) {
  // 2 m/s along a rigid wall: energy and angular momentum are constant and the contact stays closed in every
  // step of 0.02 rad.
  const State initial = stateOf({1.0, 0.0}, {0.0, 2.0});
  const auto error = [&](double h) {
    const Outcome run = runMoreau(particle(2, kHole, Rigid{0.7}), initial, 5.0, h);
    for (const Recorder::Row& row : run.seen.rows) {
      EXPECT_NEAR(row.contacts[0].gap, 0.0, 1e-12);
      EXPECT_NEAR(moment(row.state), 2.0, 2e-12);
      EXPECT_NEAR(row.ledger.kinetic, 2.0, 2e-12);
      if (row.state.time == 0.0) continue;
      EXPECT_NEAR(row.contacts[0].normalForce, 4.0, 4.0 * h * h);
    }
    return std::hypot(run.state.q[0] - std::cos(10.0), run.state.q[1] - std::sin(10.0));
  };
  EXPECT_NEAR(orderOf(1e-2, error), 2.0, 0.02);
}

TEST(MoreauFollowed, BouncesInACircleAlongChords) {
  // An impact changes only the normal component of the velocity: angular momentum and, with e = 1, energy are
  // constant.
  const State initial = stateOf({0.0, 0.6}, {2.0, 0.3});
  for (const double h : {1e-2, 1e-3}) {
    const Outcome run = runMoreau(particle(2, kHole, Rigid{1.0}), initial, 30.0, h);
    EXPECT_GT(run.seen.times(EventKind::closing).size(), 20U);
    for (const Recorder::Row& row : run.seen.rows) {
      ASSERT_NEAR(moment(row.state), moment(initial), 1e-12);
      ASSERT_NEAR(row.ledger.kinetic, 0.5 * initial.v.squaredNorm(), 1e-12);
      ASSERT_GT(row.contacts[0].gap, -0.5 * h * initial.v.norm() * (1.0 + 1e-9));
    }
  }
}

TEST(MoreauFollowed, SlidesUpACircleWithFriction) {
  // From the bottom at 4 m/s, mu = 0.2: R s'' = -g sin - mu (R s'^2 + g cos); s(0.3 s), s'(0.3 s).
  constexpr double kAngle = 0.8704785829093654, kRate = 1.6058138055108626;
  for (const AnyNormalLaw& normal : {AnyNormalLaw(Rigid{0.0}), AnyNormalLaw(Rigid{0.8})}) {
    test::ModelParts parts = particle(2, kHole, normal, Coulomb{0.25, 0.2});
    pull(parts, 1, -kFreeFall);
    const auto error = [&](double h) {
      const Outcome run = runMoreau(parts, stateOf({0.0, -1.0}, {4.0, 0.0}), 0.3, h);
      const ContactView& contact = run.seen.rows.back().contacts[0];
      EXPECT_NEAR(contact.gap, 0.0, 1e-11);
      EXPECT_NEAR(contact.normalForce, kRate * kRate + kFreeFall * std::cos(kAngle), 25.0 * h);
      EXPECT_NEAR(std::abs(contact.tangentialForce.first), 0.2 * contact.normalForce, 1e-9);
      // Friction dissipates the loss of kinetic and potential energy.
      EXPECT_NEAR(run.report.energy.friction,
                  8.0 - 0.5 * kRate * kRate - kFreeFall * (1.0 - std::cos(kAngle)), 3.0 * h);
      return std::hypot(run.state.q[0] - std::sin(kAngle), run.state.q[1] + std::cos(kAngle)) +
             std::abs(run.state.v.norm() - kRate);
    };
    EXPECT_NEAR(orderOf(2e-3, error), 2.0, 0.1);
  }
}

TEST(MoreauFollowed, StaysWhereFrictionHoldsItInACircle) {
  // At rest 0.3 rad beside the bottom with mu_s = 0.35 > tan(0.3): N = g cos, T = g sin; no creep.
  test::ModelParts parts = particle(2, kHole, Rigid{0.0}, Coulomb{0.35, 0.2});
  pull(parts, 1, -kFreeFall);
  const TransientOptions options{.end = 2.0, .step = 1e-2, .archiveEvery = 1};
  const Outcome run =
      test::runModel(parts.build(), "moreau", stateOf({std::sin(0.3), -std::cos(0.3)}, {0.0, 0.0}), options);
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_NEAR(run.report.energy.balanceResidual(), 0.0, 1e-13);
  EXPECT_NEAR(run.state.q[0], std::sin(0.3), 1e-13);
  EXPECT_NEAR(run.state.q[1], -std::cos(0.3), 1e-13);
  const ContactView& contact = run.seen.rows.back().contacts[0];
  EXPECT_EQ(contact.phase, ContactPhase::stick);
  EXPECT_NEAR(contact.normalForce, kFreeFall * std::cos(0.3), 1e-10);
  EXPECT_NEAR(std::abs(contact.tangentialForce.first), kFreeFall * std::sin(0.3), 1e-10);
}

TEST(MoreauFollowed, GoesRoundInABowl) {
  // A spherical pendulum: the moment about the vertical is constant; position at 1 s.
  const State initial = stateOf({std::sin(1.0), 0.0, -std::cos(1.0)}, {0.0, 2.0, 0.0});
  test::ModelParts parts = particle(3, kBowl, Rigid{0.5});
  pull(parts, 2, -kFreeFall);
  const auto error = [&](double h) {
    const Outcome run = runMoreau(parts, initial, 1.0, h);
    for (const Recorder::Row& row : run.seen.rows) {
      EXPECT_NEAR(moment(row.state), moment(initial), 1e-11);
      EXPECT_NEAR(row.contacts[0].gap, 0.0, 1e-12);
    }
    EXPECT_NEAR(0.5 * run.state.v.squaredNorm() + kFreeFall * run.state.q[2], 2.0 - kFreeFall * std::cos(1.0),
                20.0 * h * h * h);
    return std::hypot(run.state.q[0] + 0.6934638085665129, run.state.q[1] + 0.4608733220445932,
                      run.state.q[2] + 0.5538083849455409);
  };
  EXPECT_NEAR(orderOf(4e-3, error), 2.0, 0.05);
}

TEST(MoreauFollowed, RubsInTwoDirectionsInABowl) {
  // mu = 0.1 against the velocity; position at 0.6 s. A spring of 1e6 N/m starts where N = v^2/R + g cos is
  // in balance, which moves the wall by 1e-5 m.
  constexpr double kWallStiffness = 1e6;
  for (const AnyNormalLaw& normal :
       {AnyNormalLaw(Rigid{0.0}), AnyNormalLaw(LinearPenalty{.stiffness = kWallStiffness})})
    for (const AnyFrictionLaw& friction :
         {AnyFrictionLaw(Coulomb{0.1, 0.1}), AnyFrictionLaw(RegularisedCoulomb{0.1, 0.1, 1e6, 0.0})}) {
      test::ModelParts parts = particle(3, kBowl, normal, friction);
      pull(parts, 2, -kFreeFall);
      const double pressed = 4.0 + kFreeFall * std::cos(1.0);
      const double radius = traitsOf(normal).setValued ? 1.0 : 1.0 + pressed / kWallStiffness;
      const State initial = stateOf({radius * std::sin(1.0), 0.0, -radius * std::cos(1.0)}, {0.0, 2.0, 0.0});
      const auto error = [&](double h) {
        const Outcome run = runMoreau(parts, initial, 0.6, h);
        return std::hypot(run.state.q[0] + 0.2326575552843642, run.state.q[1] - 0.4001468643012185,
                          run.state.q[2] + 0.886427069170949);
      };
      EXPECT_LT(error(1e-3), 4e-4);
      EXPECT_LT(error(2.5e-4), 1e-4);
    }
}

/// A ball of mass m, moment of inertia J and radius r over a floor; modes: x, y, rotation about z.
struct Ball {
  double mass{0.05}, inertia{8e-6}, radius{0.02};

  test::ModelParts over(const AnyNormalLaw& normal, const AnyFrictionLaw& friction) const {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true);
    Contact contact = test::contactOf(3, Plane{}, normal, friction);
    contact.rows(0, 1) = contact.rows(1, 0) = 1.0 / std::sqrt(mass);
    contact.rows(1, 0) = -contact.rows(1, 0);  // e1 = y, e2 = -x, e3 = z
    contact.rollRow = radius / std::sqrt(inertia) * Eigen::RowVector3d::Unit(2);
    parts.contacts.push_back(contact);
    return parts;
  }
  State at(double height, double vx, double vy, double spin) const {
    return stateOf({0.0, height * std::sqrt(mass), 0.0},
                   {vx * std::sqrt(mass), vy * std::sqrt(mass), spin * std::sqrt(inertia)});
  }
};

TEST(MoreauFollowed, BallGetsSpinFromABounce) {
  // P = m (1 + e) v; the slip of the contact point, vx + r w, stops by P_t = slip/(1/m + r^2/J), or is
  // braked by mu P; spin and velocity change by r P_t/J and P_t/m
  constexpr double kRestitution = 0.8;
  const Ball ball;
  for (const double mu : {0.1, 0.3, 0.9})
    for (const double spin : {0.0, 60.0, -400.0}) {
      const Outcome run = runMoreau(ball.over(Rigid{kRestitution}, Coulomb{mu, mu}),
                                    ball.at(0.01, 3.0, -1.0, spin), 0.03, 1e-3);
      const double pressed = ball.mass * (1.0 + kRestitution);
      const double slip = 3.0 + ball.radius * spin;
      const double stop = slip / (1.0 / ball.mass + ball.radius * ball.radius / ball.inertia);
      const double taken = std::clamp(stop, -mu * pressed, mu * pressed);
      SCOPED_TRACE(fmt::format("mu {}, spin {}", mu, spin));
      EXPECT_NEAR(run.state.v[0] / std::sqrt(ball.mass), 3.0 - taken / ball.mass, 1e-12);
      EXPECT_NEAR(run.state.v[1] / std::sqrt(ball.mass), kRestitution, 1e-13);
      EXPECT_NEAR(run.state.v[2] / std::sqrt(ball.inertia), spin - ball.radius * taken / ball.inertia, 1e-10);
    }
}

TEST(MoreauFollowed, BallSlidesUntilItRolls) {
  // On the floor at 3 m/s without spin: mu g brakes the ball until vx + r w = 0, after v/(mu g (1 + m
  // r^2/J)); the velocity of rolling is the fraction m r^2/(m r^2 + J) of the initial velocity.
  const Ball ball;
  const double mr2 = ball.mass * ball.radius * ball.radius;
  const double rolls = 3.0 * mr2 / (mr2 + ball.inertia);
  for (const AnyFrictionLaw& friction :
       {AnyFrictionLaw(Coulomb{0.2, 0.2}), AnyFrictionLaw(RegularisedCoulomb{0.2, 0.2, 1e4, 0.0})}) {
    test::ModelParts parts = ball.over(Rigid{0.0}, friction);
    pull(parts, 1, -kFreeFall * std::sqrt(ball.mass));
    const Outcome run = runMoreau(parts, ball.at(0.0, 3.0, 0.0, 0.0), 1.0, 1e-3);
    const double end = 3.0 / (0.2 * kFreeFall * (1.0 + mr2 / ball.inertia));
    // With an elastic stick the motion oscillates about rolling by mu N/sqrt(k_t (1/m + r^2/J)^-1).
    const bool rings = !traitsOf(friction).setValued;
    EXPECT_NEAR(run.state.v[0] / std::sqrt(ball.mass), rolls, rings ? 1e-2 : 1e-12);
    EXPECT_NEAR(-ball.radius * run.state.v[2] / std::sqrt(ball.inertia), rolls, rings ? 1e-2 : 1e-12);
    ASSERT_FALSE(run.seen.times(EventKind::slipToStick).empty());
    EXPECT_NEAR(run.seen.times(EventKind::slipToStick)[0], end, 2e-3);
    EXPECT_NEAR(run.report.energy.friction,
                0.5 * ball.mass * 9.0 - 0.5 * ball.mass * rolls * rolls * (1.0 + ball.inertia / mr2), 1e-4);
  }
}

TEST(MoreauFollowed, RubsInOneDirectionOfAHole) {
  // Friction along e3 only (`along`): the rotation about e3 is free, the slide along e3 stops after v/(mu N),
  // N = v_t^2/R.
  test::ModelParts parts = particle(3, kHole, Rigid{0.0}, Coulomb{0.3, 0.3});
  parts.contacts[0].tangentScale = {0.0, 1.0};
  const Outcome run = runMoreau(parts, stateOf({1.0, 0.0, 0.0}, {0.0, 2.0, 0.6}), 0.4, 1e-3);
  EXPECT_NEAR(std::hypot(run.state.v[0], run.state.v[1]), 2.0, 1e-11);
  EXPECT_NEAR(run.state.v[2], 0.6 - 0.3 * 4.0 * 0.4, 1e-5);
  EXPECT_NEAR(run.state.q[2], 0.6 * 0.4 - 0.5 * 0.3 * 4.0 * 0.16, 1e-5);
}

TEST(MoreauFollowed, KeepsTheEnergyOfASpringExactly) {
  // Pressed by 20 N on 1e4 N/m the mass oscillates about 2 mm without loss in steps of a tenth of 1/w and of
  // 5/w, and rebounds without loss; second order.
  test::ModelParts parts = test::oscillator({.mass = 1.0});
  parts.contacts.push_back(test::contactOf(1, Plane{}, LinearPenalty{.stiffness = 1e4}));
  parts.contacts[0].rows(0, 0) = 1.0;
  pull(parts, 0, -20.0);
  for (const double start : {-0.003, 0.004})
    for (const double h : {1e-3, 5e-2}) {
      const Outcome run = runMoreau(parts, stateOf({start}, {0.0}), 1000.0 * h, h);
      for (const Recorder::Row& row : run.seen.rows)
        ASSERT_NEAR(row.ledger.kinetic + row.ledger.contact + 20.0 * row.state.q[0],
                    20.0 * start + (start < 0.0 ? 5e3 * start * start : 0.0), 1e-12);
      EXPECT_NEAR(run.report.energy.damping, 0.0, 1e-12);
    }
  const auto error = [&](double h) {  // after 25 cycles
    const double end = 25.0 * 2.0 * std::numbers::pi / 100.0;
    return std::abs(runMoreau(parts, stateOf({-0.003}, {0.0}), end, h).state.v[0]);
  };
  EXPECT_NEAR(orderOf(4e-4, error), 2.0, 0.02);
}

TEST(MoreauFollowed, KeepsTheEnergyOfAStickExactly) {
  // A mass on its elastic stick: 1e4 N/m, T < mu N.
  const test::ModelParts parts = test::slider({.mass = 1.0, .stiffness = 0.0}, 100.0, {0.5, 0.5, 1e4, 0.0});
  const State initial = stateOf({0.0}, {0.1});
  const auto error = [&](double h) {
    const double end = 25.0 * 2.0 * std::numbers::pi / 100.0;
    const Outcome run = runMoreau(parts, initial, end, h);
    for (const Recorder::Row& row : run.seen.rows)
      EXPECT_NEAR(row.ledger.kinetic + row.ledger.contact, 0.005, 1e-15);
    return std::abs(run.state.q[0]);
  };
  EXPECT_NEAR(orderOf(4e-4, error), 2.0, 0.02);
}

/// A few modes at obstacles of every kind at rest, without loads.
test::ModelParts randomCurvedProblem(unsigned seed, State& initial) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  test::ModelParts parts;
  constexpr Eigen::Index kModes = 6;
  Vector omega(kModes);
  for (double& w : omega) w = between(2.0, seed % 2 == 0 ? 30.0 : 400.0);
  parts.linear = LinearSystem(omega.cwiseAbs2(), Matrix::Zero(kModes, kModes), true);
  const std::array<AnyObstacle, 5> obstacles{Curved{Circle{.clearance = 0.02}},
                                             Curved{Sphere{.radius = 0.02, .inside = true}},
                                             Curved{Torus{.ringRadius = 0.5, .radius = 0.02, .inside = true}},
                                             Curved{Profile{}}, Curved{Sphere{.radius = 0.05}}};
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const double mu = between(0.1, 0.4);
    AnyNormalLaw normal = Rigid{0.0};
    AnyFrictionLaw friction = Coulomb{mu + 0.1, mu};
    if (between(0.0, 1.0) < 0.5) normal = LinearPenalty{.stiffness = 1e6, .damping = between(0.0, 20.0)};
    if (between(0.0, 1.0) < 0.3) friction = RegularisedCoulomb{mu, mu, 1e5, 0.0};
    Contact contact = test::contactOf(kModes, obstacles[i], normal, friction);
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      for (Eigen::Index k = 0; k < kModes; ++k) contact.rows(axis, k) = between(-0.5, 0.5);
    if (i == 0) {
      contact.rollRow = Eigen::RowVectorXd::Zero(kModes);
      for (double& each : contact.rollRow) each = between(-0.5, 0.5);
    }
    if (i == 2) contact.offset = {0.5, 0.0, 0.0};
    if (i == 4) contact.offset = {0.06, 0.02, 0.0};
    parts.contacts.push_back(contact);
  }
  initial = State(kModes);
  for (double& v : initial.v.head(kModes)) v = between(-0.5, 0.5);
  return parts;
}

TEST(MoreauFollowed, EnergyNeverGrowsInCurvedObstacles) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const double h : {1e-4, 1e-3}) {
      State initial;
      const test::ModelParts parts = randomCurvedProblem(seed, initial);
      SCOPED_TRACE(fmt::format("problem {}, step {}", seed, h));
      const Outcome run = runMoreau(parts, initial, 500.0 * h, h);
      double before = 1e30, friction = 0.0;
      const double scale = run.seen.rows[0].ledger.initial;
      for (const Recorder::Row& row : run.seen.rows) {
        const double held = row.ledger.kinetic + row.ledger.elastic + row.ledger.contact;
        ASSERT_LE(held, before + 1e-6 * scale) << row.state.time;
        ASSERT_GE(row.ledger.friction, friction - 1e-6 * scale) << row.state.time;
        before = held;
        friction = row.ledger.friction;
      }
    }
}

TEST(MoreauFollowed, StepDoesNotAllocate) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  State initial;
  const ModalModel model = randomCurvedProblem(3, initial).build();
  test::Stepper<Moreau> stepper(model, 1e-4, initial);
  stepper.steps(10);
  const test::AllocationCounter allocations;
  stepper.steps(3000);
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_TRUE(stepper.found());
}

}  // namespace
}  // namespace ricochet
