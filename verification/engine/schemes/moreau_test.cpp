// Time stepping with set-valued contacts: order, impacts, stick, drift, energy, large steps.

#include "engine/schemes/moreau.hpp"

#include "engine/study/run_transient.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/stepper.hpp"

#include <gtest/gtest.h>

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
using test::runModel;

Outcome runMoreau(const ModalModel& model, State initial, const TransientOptions& options) {
  return runModel(model, "moreau", std::move(initial), options);
}

/// Slope of log(error) against log(step), by least squares.
double slopeOf(const std::vector<double>& steps, const std::vector<double>& errors) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  const auto n = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double x = std::log(steps[i]), y = std::log(errors[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// SDND106 with rigid stick, mu_s 0.3 and mu_d 0.2.
test::ModelParts rigidShoe() {
  test::ModelParts parts = test::sdnd106();
  parts.contacts[0].friction = Coulomb{0.3, 0.2};
  return parts;
}

TEST(Moreau, IsOfFirstOrderOnTheShoe) {
  // F01_sdnd106, exact to 16 digits: x1 and x2 at 0.15 and 0.25 s, x1 at rest.
  const ModalModel model = rigidShoe().build();
  const std::array shapes{test::modeShapeOfSdnd106Mass(1), test::modeShapeOfSdnd106Mass(2)};
  std::vector<double> steps, errors;
  for (double h = 1e-3; h > 5e-6; h *= 0.77) {
    TransientOptions options{.end = 0.34, .step = h, .archiveEvery = 1 << 20};
    options.instants = {0.15, 0.25};
    const Outcome run = runMoreau(model, State(2), options);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const auto at = [&](const State& s, std::size_t mass) { return shapes[mass].dot(s.q.head(2)); };
    const State& first = run.seen.shown[0].second.state;
    const State& second = run.seen.shown[1].second.state;
    const double error =
        std::abs(at(first, 0) - 1.3533376608928975) + std::abs(at(first, 1) - 1.8075324661759522) +
        std::abs(at(second, 0) - 3.446413147161373) + std::abs(at(second, 1) - 3.603616293303278) +
        std::abs(at(run.state, 0) - 3.9556057734976027);
    steps.push_back(h);
    errors.push_back(error);
    // The instant of the breakaway has an error of half a step, and the traction drops by 1000 N there: the
    // error is at most 0.5 h * 200 m/s^2 * 0.3 s for each of five values.
    EXPECT_LT(error, 5.0 * 0.5 * h * 200.0 * 0.3) << h;
    ASSERT_EQ(run.seen.times(EventKind::stickToSlip).size(), 1U);
    ASSERT_EQ(run.seen.times(EventKind::slipToStick).size(), 1U);
    EXPECT_NEAR(run.seen.times(EventKind::stickToSlip)[0], 0.03512407365520363, h);
    EXPECT_NEAR(run.seen.times(EventKind::slipToStick)[0], 0.3149232754474865, 1.5 * h);
    EXPECT_LT(run.report.energyError, 1e-12) << h;
    EXPECT_NEAR(run.report.energy.friction, 7911.211546995205, 2e5 * h) << h;
  }
  EXPECT_NEAR(slopeOf(steps, errors), 1.0, 0.15);
}

/// A ball of 1 kg under gravity over a rigid floor at x = 0.
test::ModelParts ball(double restitution) {
  test::ModelParts parts = test::oscillator({.mass = 1.0});
  parts.contacts.push_back(test::contactOf(1, Plane{}, Rigid{restitution}));
  parts.contacts[0].rows(0, 0) = 1.0;
  parts.loads.push_back({Vector::Constant(1, -9.81), TimeFunction::constant(1.0)});
  return parts;
}

TEST(Moreau, BallBouncesByTheRestitutionAndComesToRest) {
  const double h = 1e-3, e = 0.6, height = 0.5;
  const Outcome run = runMoreau(ball(e).build(), test::stateOf(height, 0.0), {.end = 4.0, .step = h});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  // The first impact is at sqrt(2 H/g), the rebound reaches e^2 H, and rest begins at (1 + e)/(1 - e) sqrt(2
  // H/g).
  const double fallTime = std::sqrt(2.0 * height / 9.81);
  EXPECT_NEAR(run.seen.times(EventKind::closing)[0], fallTime, h);
  double top = 0.0, lowest = 0.0;
  for (const Recorder::Row& row : run.seen.rows) {
    if (row.state.time > fallTime + h && row.state.time < fallTime * (1.0 + 2.0 * e) - h)
      top = std::max(top, row.state.q[0]);
    lowest = std::min(lowest, row.state.q[0]);
  }
  const double speed = 9.81 * fallTime;
  EXPECT_NEAR(top, e * e * height, 2.0 * speed * h);
  EXPECT_GE(lowest, -0.5 * speed * h * (1.0 + 1e-9));
  const double rest = fallTime * (1.0 + e) / (1.0 - e);
  double final = 0.0;
  for (const Recorder::Row& row : run.seen.rows)
    if (row.state.time > rest + 0.1) {
      if (final == 0.0) final = row.state.q[0];
      ASSERT_EQ(row.contacts[0].phase, ContactPhase::slip) << row.state.time;  // closed, without friction
      ASSERT_NEAR(row.state.q[0], final, 1e-12) << "no drift";
      ASSERT_NEAR(row.state.v[0], 0.0, 1e-12);
      ASSERT_NEAR(row.contacts[0].normalForce, 9.81, 1e-9);
    }
  EXPECT_LT(run.report.energyError, 1e-12);
}

/// The impulse of an impact is no force: divided by the step, it grows as the step decreases.
TEST(Moreau, ImpactsHaveNoPeak) {
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    const ModalModel model = ball(0.6).build();
    ModalEquation equation(model);
    State state = test::stateOf(0.5, 0.0);
    Recorder recorder;
    const Report report =
        run("moreau", equation, state, {.end = 4.0, .step = h, .archiveEvery = 1}, recorder);
    ASSERT_EQ(report.status, RunStatus::complete);
    EXPECT_NEAR(equation.contacts().runTotals()[0].peakForce, 9.81, 1e-9);  // at rest
    EXPECT_NEAR(equation.contacts().runTotals()[0].impulse, 4.0 * 9.81, 1e-9);
  }
}

TEST(Moreau, PressedBodyDoesNotCreepInLargeSteps) {
  // Two masses of 1 kg and a spring of omega h = 44 on the floor under their weight: the reaction balances
  // both weights at once, and the masses do not sink in a thousand steps.
  const test::ModalChain chain = test::modalChain({.masses = {1.0, 1.0}, .stiffness = 1e6});
  test::ModelParts parts = chain.parts;
  parts.contacts.push_back(test::contactOf(2, Plane{}, Rigid{0.0}));
  parts.contacts[0].rows.row(0) = chain.shapes.row(0);
  parts.loads.push_back({chain.shapes.transpose() * Vector::Constant(2, -9.81), TimeFunction::constant(1.0)});
  State initial(2);
  const Vector rest{{0.0, -9.81e-6}};
  initial.q.head(2) = chain.shapes.transpose() * rest;  // M = 1
  const Outcome run = runMoreau(parts.build(), initial, {.end = 31.0, .step = 0.031});
  for (const Recorder::Row& row : run.seen.rows) {
    ASSERT_NEAR(row.contacts[0].gap, 0.0, 1e-15) << row.state.time;
    if (row.state.time == 0.0) continue;
    ASSERT_NEAR(row.contacts[0].normalForce, 19.62, 1e-7);
  }
}

TEST(Moreau, BlockOnABeltSticksAndSlips) {
  // 1 kg on 100 N/m on a belt of 0.1 m/s, N = 10 N, mu_s 0.4, mu_d 0.3: the mass sticks until k x = 4 N,
  // slips from there and back by 2 (mu_s - mu_d) N / k and the speed of the belt.
  test::ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = 100.0});
  Contact contact = test::contactOf(1, NoObstacle{}, ImposedForce{}, Coulomb{0.4, 0.3});
  contact.imposedForce = TimeFunction::constant(10.0);
  contact.rows(1, 0) = 1.0;
  contact.surface.push_back({TimeFunction::constant(0.1), {1.0, 0.0}});
  parts.contacts.push_back(contact);
  const double h = 1e-3;
  const Outcome run = runMoreau(parts.build(), test::stateOf(0.0, 0.1), {.end = 5.0, .step = h});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  const std::vector<double> breaks = run.seen.times(EventKind::stickToSlip);
  const std::vector<double> catches = run.seen.times(EventKind::slipToStick);
  ASSERT_GE(breaks.size(), 3U);
  EXPECT_NEAR(breaks[0], 0.4, h);  // time 4 N / (100 N/m 0.1 m/s)
  // Slip: x = 0.03 + 0.01 cos(w s) + (0.1/w) sin(w s), w = 10, until x' equals the speed of the belt again.
  const double slip = (2.0 * std::numbers::pi - 2.0 * std::atan2(0.01, 0.01)) / 10.0;
  EXPECT_NEAR(catches[0] - breaks[0], slip, 2.0 * h);
  // The mass sticks to the belt again at 0.02 m, 0.02 m before the next slip.
  EXPECT_NEAR(breaks[1] - catches[0], 0.2, 4.0 * h);
  EXPECT_LT(run.report.energyError, 1e-12);
  for (const Recorder::Row& row : run.seen.rows) {
    if (row.contacts[0].phase != ContactPhase::stick) continue;
    ASSERT_NEAR(row.contacts[0].slipVelocity.first, 0.0, 1e-12) << row.state.time;
  }
}

TEST(Moreau, SeveralContactsStickTogetherAndBreakOneByOne) {
  // Three masses of a chain, each under 100 N with mu_s 0.1, 0.2, 0.3, and a force on the last that grows by
  // 100 N/s: the last sticks alone until 30 N, because no spring is stretched before.
  const test::ModalChain chain =
      test::modalChain({.masses = {1.0, 1.0, 1.0}, .stiffness = 1e3, .grounded = true});
  test::ModelParts parts = chain.parts;
  for (int i = 0; i < 3; ++i) {
    const double mu = 0.1 * (i + 1);
    Contact contact = test::contactOf(3, NoObstacle{}, ImposedForce{}, Coulomb{mu, mu});
    contact.imposedForce = TimeFunction::constant(100.0);
    contact.rows.row(1) = chain.shapes.row(i);
    parts.contacts.push_back(contact);
  }
  const std::array times{0.0, 2.0};
  const std::array values{0.0, 200.0};
  parts.loads.push_back(
      {chain.shapes.transpose() * Vector{{0.0, 0.0, 1.0}},
       TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant)});
  const double h = 1e-3;
  const Outcome run = runMoreau(parts.build(), State(3), {.end = 1.0, .step = h});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  std::array<double, 3> first{9.0, 9.0, 9.0};
  for (const Event& event : run.seen.all)
    if (event.kind == EventKind::stickToSlip)
      first[static_cast<std::size_t>(event.contact)] =
          std::min(first[static_cast<std::size_t>(event.contact)], event.time);
  EXPECT_NEAR(first[2], 0.3, h);
  EXPECT_GT(first[1], first[2]);
  EXPECT_GT(first[0], first[1]);
  for (const Recorder::Row& row : run.seen.rows) {
    if (row.state.time > first[2] - 2.0 * h) break;
    ASSERT_LT(row.state.q.norm(), 1e-15) << "stick does not creep, " << row.state.time;
    ASSERT_NEAR(row.contacts[2].tangentialForce.first, -100.0 * std::max(0.0, row.state.time - 0.5 * h),
                1e-9);
  }
}

/// A few modes, friction contacts of every kind, surfaces at rest.
test::ModelParts randomProblem(unsigned seed, double stiffest, State& initial) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  const auto vector = [&](Eigen::Index size, double low, double high) {
    Vector v(size);
    for (double& x : v) x = between(low, high);
    return v;
  };
  test::ModelParts parts;
  const Eigen::Index modes = 3 + static_cast<Eigen::Index>(seed % 5);
  const Vector omega = vector(modes, 5.0, stiffest);
  const Vector damping = 2.0 * (seed % 3 == 0 ? 0.0 : between(0.0, 0.05)) * omega;
  parts.linear = LinearSystem(omega.cwiseAbs2(), damping.asDiagonal(), true);
  for (int i = 0; i < 4; ++i) {
    const double dynamic = between(0.1, 0.4);
    const Coulomb rigidFriction{dynamic + between(0.0, 0.2), dynamic};
    const Slot slot{between(0.002, 0.02)};
    Contact contact = test::contactOf(modes, slot, Rigid{0.0}, rigidFriction);
    if (i == 1) contact = test::contactOf(modes, slot, LinearPenalty{.stiffness = 1e10}, rigidFriction);
    if (i == 2)
      contact = test::contactOf(modes, slot, LinearPenalty{.stiffness = 1e5, .damping = 20.0},
                                RegularisedCoulomb{dynamic, dynamic, 1e5, 0.0});
    if (i == 3) {
      contact = test::contactOf(modes, NoObstacle{}, ImposedForce{}, rigidFriction);
      contact.imposedForce = TimeFunction::constant(between(1.0, 20.0));
    }
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      contact.rows.row(axis) = vector(modes, -0.5, 0.5).transpose();
    if (i == 3) contact.rows.row(0).setZero();
    parts.contacts.push_back(contact);
  }
  initial = State(modes);
  initial.v.head(modes) = vector(modes, -1.0, 1.0);
  return parts;
}

TEST(Moreau, EnergyNeverGrowsWhateverTheStep) {
  // Without loads, the energy of the structure and of the springs decreases from step to step, in steps of a
  // hundredth of a period up to many periods.
  for (unsigned seed = 1; seed <= 40; ++seed)
    for (const double h : {1e-4, 2e-3, 0.05}) {
      State initial;
      const ModalModel model = randomProblem(seed, seed % 2 == 0 ? 60.0 : 3000.0, initial).build();
      const Outcome run = runMoreau(model, initial, {.end = 300.0 * h, .step = h});
      SCOPED_TRACE("problem " + std::to_string(seed) + ", step " + std::to_string(h));
      ASSERT_EQ(run.report.status, RunStatus::complete) << run.report.time;
      double before = 1e30, friction = 0.0;
      const double scale = run.seen.rows[0].ledger.initial;
      for (const Recorder::Row& row : run.seen.rows) {
        const double held = row.ledger.kinetic + row.ledger.elastic + row.ledger.contact;
        ASSERT_LE(held, before + 1e-12 * scale) << row.state.time;
        ASSERT_GE(row.ledger.friction, friction - 1e-9 * scale) << row.state.time;
        before = held;
        friction = row.ledger.friction;
      }
      EXPECT_LT(run.report.energyError, 1e-10);
    }
}

TEST(Moreau, LargeStepsOnAStiffPenaltyAreStable) {
  // omega = 1e5 rad/s of the contact, omega h = 1e3: the contact stores at most the energy of 1 m/s.
  const ModalModel model =
      test::bouncer({.mass = 1.0, .stiffness = 100.0}, Slot{0.05}, {.stiffness = 1e10}).build();
  const Outcome run = runMoreau(model, test::stateOf(0.0, 1.0), {.end = 10.0, .step = 0.01});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  for (const Recorder::Row& row : run.seen.rows) {
    ASSERT_LE(std::abs(row.state.q[0]), 0.05 + 1e-5 * (1.0 + 1e-9));
    // The rounding of the position, 7e-18 m, is multiplied by 1e5 N in each of 1000 steps.
    ASSERT_LE(row.ledger.kinetic + row.ledger.elastic + row.ledger.contact, 0.5 + 7e-10);
  }
  EXPECT_LT(run.report.energyError, 7e-10 / 0.5);
}

TEST(Moreau, PenaltyAndRegularisedFrictionAreOfFirstOrder) {
  // A mass oscillates against a damped penalty contact with friction and an elastic stick, compared with
  // kick_drift in small steps; steps shorter than the period of the contact, 2 ms.
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector{{400.0, 900.0}}, Matrix::Zero(2, 2), true);
  parts.contacts.push_back(test::contactOf(2, Plane{}, LinearPenalty{.stiffness = 1e6, .damping = 100.0},
                                           RegularisedCoulomb{0.3, 0.3, 1e4, 20.0}));
  parts.contacts[0].rows(0, 0) = 1.0;
  parts.contacts[0].rows(1, 1) = 1.0;
  const ModalModel model = parts.build();
  State initial(2);
  initial.q[0] = 0.05;
  initial.v[1] = 1.0;
  const TransientOptions options{.end = 0.25, .step = 2e-7, .archiveEvery = 1 << 20};
  const Outcome fine = runModel(model, "kick_drift", initial, options);
  // The spring of the stick is anchored up to a step late: k_t v h over a contact of pi/1000 s, each of two
  // times.
  for (double h = 1e-4; h > 2e-6; h *= 0.77) {
    const Outcome run = runMoreau(model, initial, {.end = 0.25, .step = h, .archiveEvery = 1 << 20});
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_LT((run.state.v - fine.state.v).norm(), 2.0 * 1e4 * 1.0 * h * std::numbers::pi / 1000.0) << h;
    EXPECT_LT(run.report.energyError, 1e-12);
  }
}

TEST(Moreau, AgreesWithTheEventSchemeAtFirstOrder) {
  // A body of two modes falls on a rigid floor, bounces to rest and stays, while it slides to a stop.
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector{{100.0, 2500.0, 4.0}}, Matrix::Zero(3, 3), true);
  parts.contacts.push_back(test::contactOf(3, Plane{}, Rigid{0.5}, Coulomb{0.3, 0.2}));
  parts.contacts[0].rows(0, 0) = 1.0;
  parts.contacts[0].rows(0, 1) = 0.7;
  parts.contacts[0].rows(1, 2) = 1.0;
  parts.loads.push_back({Vector{{-9.0, 0.0, 0.0}}, TimeFunction::constant(1.0)});
  const ModalModel model = parts.build();
  State initial(3);
  initial.q[0] = 0.02;
  initial.v.head(3) << -1.0, 0.0, 0.5;
  const TransientOptions options{.end = 0.3, .step = 1e-3, .archiveEvery = 1 << 20};
  const Outcome exact = runModel(model, "event", initial, options);
  ASSERT_EQ(exact.report.status, RunStatus::complete);
  std::vector<double> steps, errors;
  for (double h = 1e-3; h > 2e-6; h *= 0.77) {
    const Outcome run = runMoreau(model, initial, {.end = 0.3, .step = h, .archiveEvery = 1 << 20});
    ASSERT_EQ(run.report.status, RunStatus::complete);
    steps.push_back(h);
    errors.push_back((run.state.q - exact.state.q).norm());
    EXPECT_NEAR(run.seen.times(EventKind::closing)[0], exact.seen.times(EventKind::closing)[0], h);
  }
  EXPECT_NEAR(slopeOf(steps, errors), 1.0, 0.25);
}

TEST(Moreau, ManyRigidContactsStayWithinTheirSlots) {
  // The tube in ten slots, rigid and with set-valued stick, in steps of an eighth of its shortest period.
  test::ModelParts parts = test::tube({.modes = 20, .stations = test::positionsOfTubeSlots(10)});
  for (Contact& contact : parts.contacts) {
    contact.normal = Rigid{0.3};
    contact.friction = Coulomb{0.3, 0.2};
  }
  const Outcome run = runMoreau(parts.build(), State(20), {.end = 0.5, .step = 2e-4});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_GT(run.report.events, 100);
  EXPECT_LT(run.report.energyError, 1e-10);
  for (const Recorder::Row& row : run.seen.rows)
    for (const ContactView& contact : row.contacts) ASSERT_GT(contact.gap, -1e-3 * 0.5) << row.state.time;
}

TEST(Moreau, StepWithSetValuedContactsDoesNotAllocate) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  State initial;
  const ModalModel model = randomProblem(5, 60.0, initial).build();
  test::Stepper<Moreau> stepper(model, 1e-4, initial);
  stepper.steps(10);
  const test::AllocationCounter allocations;
  stepper.steps(5000);
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_TRUE(stepper.found());
}

}  // namespace
}  // namespace ricochet
