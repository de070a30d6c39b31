#include "engine/contact/contact_set.hpp"

#include "engine/study/run_transient.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace ricochet {
namespace {

using test::ModelParts;
using test::Outcome;
using test::runModel;

/// Generalized force of the contacts of a run at a motion, as a trial.
Vector tryAt(ContactRun& contacts, double t, const State& s) {
  Vector force = Vector::Zero(s.q.size());
  contacts.evaluate(t, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  contacts.addForces(force.data(), force.data());
  return force;
}

void startAt(ContactRun& contacts, const State& s) {
  contacts.start(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
}

TEST(ContactRun, TrialLeavesNoTraceUntilAccepted) {
  // Two runs have the same motion; one of them also evaluates forty random motions before each step.
  const ModalModel model = test::tube({.modes = 6, .stations = {2.0, 5.0, 7.0}, .loadsTo = 1e-4}).build();
  ContactRun calm(model.contacts), shaken(model.contacts);
  State s(6);
  startAt(calm, s);
  startAt(shaken, s);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> wild(-5e-3, 5e-3);
  EnergyLedger calmLedger, shakenLedger;
  int closed = 0;
  for (int n = 1; n <= 200; ++n) {
    for (int i = 0; i < 40; ++i) {
      State other(6);
      for (int mode = 0; mode < 6; ++mode) other.q[mode] = wild(random);
      tryAt(shaken, 1e-3 * n, other);
    }
    for (int mode = 0; mode < 6; ++mode) {
      s.v[mode] = std::cos(0.1 * n * (mode + 1));
      s.q[mode] = 2e-3 * std::sin(0.1 * n * (mode + 1));
    }
    ASSERT_EQ(tryAt(calm, 1e-3 * n, s), tryAt(shaken, 1e-3 * n, s)) << "step " << n;
    State calmState = s, shakenState = s;
    calm.acceptStep(1e-3 * n, 1e-3, calmLedger, calmState.v.data());
    shaken.acceptStep(1e-3 * n, 1e-3, shakenLedger, shakenState.v.data());
    ASSERT_EQ(calmState.v, shakenState.v);
    for (const ContactState& contact : calm.states()) closed += contact.isClosed() ? 1 : 0;
  }
  EXPECT_GT(closed, 50);
  EXPECT_EQ(calmLedger.friction, shakenLedger.friction);
  EXPECT_EQ(calmLedger.damping, shakenLedger.damping);
  EXPECT_EQ(calm.events().size(), shaken.events().size());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(calm.runTotals()[0].impulse, shaken.runTotals()[0].impulse);
}

TEST(ContactRun, RestoredStatesContinueBitForBit) {
  const ModalModel model = test::sdnd106().build();
  ContactRun first(model.contacts);
  State s(2);
  startAt(first, s);
  EnergyLedger ledger;
  s.q.head(2) << 2e-3, 1e-3;
  s.v.head(2) << 1.0, 0.5;
  tryAt(first, 0.1, s);
  first.acceptStep(0.1, 0.1, ledger, s.v.data());
  ContactRun second(model.contacts);
  startAt(second, State(2));
  second.restore(first.states());
  s.q.head(2) << 2.1e-3, 1e-3;
  EXPECT_EQ(tryAt(first, 0.2, s), tryAt(second, 0.2, s));
}

TEST(ContactRun, SlotPushesAwayFromTheNearerPlane) {
  const ModalModel model =
      test::bouncer({.mass = 4.0}, Slot{0.01}, LinearPenalty{.stiffness = 1e3, .damping = 0.0}).build();
  ContactRun contacts(model.contacts);
  startAt(contacts, State(1));
  // x = q / 2; penetration 1 mm on either side: N = 1 N, generalized force N / 2 towards the middle; rounding
  // is 1e-18 m in the gap and 1e-15 in N.
  EXPECT_NEAR(tryAt(contacts, 0.0, test::stateOf(0.022, 0.0))[0], -0.5, 1e-14);
  EXPECT_NEAR(tryAt(contacts, 0.0, test::stateOf(-0.022, 0.0))[0], 0.5, 1e-14);
  EXPECT_EQ(tryAt(contacts, 0.0, test::stateOf(0.0199, 0.0))[0], 0.0);
}

TEST(ContactRun, SlotDampsOnBothSides) {
  // A penetration at 0.5 m/s increases N by c v, a separation at 0.5 m/s decreases N by c v.
  const ModalModel model =
      test::bouncer({.mass = 4.0}, Slot{0.01}, LinearPenalty{.stiffness = 1e3, .damping = 1.0}).build();
  ContactRun contacts(model.contacts);
  startAt(contacts, State(1));
  EXPECT_NEAR(tryAt(contacts, 0.0, test::stateOf(0.022, 1.0))[0], -0.75, 1e-14);
  EXPECT_NEAR(tryAt(contacts, 0.0, test::stateOf(0.022, -1.0))[0], -0.25, 1e-14);
  EXPECT_NEAR(tryAt(contacts, 0.0, test::stateOf(-0.022, -1.0))[0], 0.75, 1e-14);
  EXPECT_NEAR(tryAt(contacts, 0.0, test::stateOf(-0.022, 1.0))[0], 0.25, 1e-14);
}

TEST(ContactRun, OffsetMovesTheContactPoint) {
  ModelParts parts = test::bouncer({.mass = 1.0}, Plane{}, LinearPenalty{.stiffness = 1e3});
  parts.contacts[0].offset = Vec3(0.25, 0.0, 0.0);
  const ModalModel model = parts.build();
  ContactRun contacts(model.contacts);
  startAt(contacts, State(1));
  EXPECT_EQ(tryAt(contacts, 0.0, test::stateOf(-0.24, 0.0))[0], 0.0);
  EXPECT_NEAR(tryAt(contacts, 0.0, test::stateOf(-0.26, 0.0))[0], 10.0, 1e-10);
}

TEST(ContactRun, HooksItsTangentialSpringWhereItCloses) {
  // The contact closes at the tangential position 3 m without traction; it opens and closes again at 5 m,
  // again without traction.
  ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
  parts.contacts.push_back(
      test::contactOf(2, Plane{}, LinearPenalty{.stiffness = 1e3},
                      RegularisedCoulomb{.muStatic = 0.5, .muDynamic = 0.4, .stiffness = 100.0}));
  parts.contacts[0].rows(0, 0) = 1.0;
  parts.contacts[0].rows(2, 1) = 1.0;
  const ModalModel model = parts.build();
  ContactRun contacts(model.contacts);
  EnergyLedger ledger;
  State s(2);
  const auto moveTo = [&](double x, double y) {
    s.q.head(2) << x, y;
    const double force = tryAt(contacts, 0.0, s)[1];
    contacts.acceptStep(0.0, 1e-3, ledger, s.v.data());
    return force;
  };
  s.q[0] = 1.0;
  startAt(contacts, s);
  EXPECT_EQ(moveTo(-1.0, 3.0), 0.0);
  EXPECT_EQ(moveTo(-1.0, 3.5), -50.0);
  EXPECT_EQ(moveTo(1.0, 4.0), 0.0);
  EXPECT_EQ(moveTo(-1.0, 5.0), 0.0);
  EXPECT_EQ(moveTo(-1.0, 4.75), 25.0);
}

TEST(ContactRun, LocatesTheClosingOfAFreeFlight) {
  // The mass falls from 0.1 m at -1 m/s under -10 N: x = 0.1 - t - 5 t^2 = 0 at t = (sqrt(3) - 1) / 10.
  // Linear interpolation in a step has an error of at most 10 h^2 / 8 in x, at a speed of sqrt(3).
  ModelParts parts = test::bouncer({.mass = 1.0}, Plane{}, LinearPenalty{.stiffness = 1e4});
  parts.loads.push_back({Vector::Constant(1, -10.0), TimeFunction::constant(1.0)});
  const ModalModel model = parts.build();
  const double exact = (std::sqrt(3.0) - 1.0) / 10.0;
  for (const double h : {1.7e-3, 1e-4}) {
    const Outcome run = runModel(model, "kick_drift", test::stateOf(0.1, -1.0), {.end = 0.08, .step = h});
    const auto closings = run.seen.times(EventKind::closing);
    ASSERT_EQ(closings.size(), 1U) << "h = " << h;
    EXPECT_NEAR(closings[0], exact, 10.0 * h * h / 8.0 / std::sqrt(3.0)) << "h = " << h;
  }
}

TEST(ContactRun, LocatesTheStartOfSlip) {
  // 1 kg on a stick spring under 50 t: with the initial speed 50 / k_t the mass follows without oscillation,
  // T = -50 t, and breaks away at mu_s N / 50 = 0.4 s. The guard (mu_s N)^2 - T^2 is a parabola in t, so that
  // its linear root has the error h^2 / (8 t).
  ModelParts parts =
      test::slider({.mass = 1.0}, 100.0, {.muStatic = 0.2, .muDynamic = 0.1, .stiffness = 1e4});
  const std::array times{0.0, 1.0};
  const std::array values{0.0, 50.0};
  parts.loads.push_back(
      {Vector::Constant(1, 1.0),
       TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant)});
  const ModalModel model = parts.build();
  for (const double h : {1.1e-3, 3e-4}) {
    const Outcome run =
        runModel(model, "central_difference", test::stateOf(0.0, 50.0 / 1e4), {.end = 0.5, .step = h});
    const auto breaks = run.seen.times(EventKind::stickToSlip);
    ASSERT_EQ(breaks.size(), 1U);
    EXPECT_NEAR(breaks[0], 0.4, h * h / 8.0 / 0.4 + 1e-12);
  }
}

TEST(ContactRun, LocatesTheEndOfSlip) {
  // 1 kg at 2 m/s under mu_d N = 10 N stops after 0.2 s; the speed is linear, so that the root is exact
  // except for the start.
  const ModalModel model =
      test::slider({.mass = 1.0}, 100.0, {.muStatic = 0.1, .muDynamic = 0.1, .stiffness = 1e6}).build();
  const double h = 3e-4;
  const Outcome run = runModel(model, "kick_drift", test::stateOf(0.0, 2.0), {.end = 0.25, .step = h});
  const auto stops = run.seen.times(EventKind::slipToStick);
  ASSERT_FALSE(stops.empty());
  // The elastic slip of mu N / k_t = 1e-5 m lasts 5 us at 2 m/s with half the friction on average: v lacks 10
  // N * 2.5 us. At the start of slip the force of at most one step is wrong (10 N h / 2).
  EXPECT_NEAR(stops[0], 0.2, 2.5e-6 + 0.5 * h);
}

TEST(ContactRun, LocatesAReversalOfSlip) {
  // 1 kg at -1 m/s under +100 N and mu N = 0.1 N reverses at 1 / 100.1 s and passes the elastic slip (2e-7 m)
  // within that step. The friction reverses inside the step, which gives an error of 0.2 N h / 100 N.
  ModelParts parts = test::slider({.mass = 1.0}, 1.0, {.muStatic = 0.1, .muDynamic = 0.1, .stiffness = 1e6});
  parts.loads.push_back({Vector::Constant(1, 100.0), TimeFunction::constant(1.0)});
  const ModalModel model = parts.build();
  const double h = 1.07e-3;
  const Outcome run = runModel(model, "kick_drift", test::stateOf(0.0, -1.0), {.end = 0.02, .step = h});
  const auto turns = run.seen.times(EventKind::slipReversal);
  ASSERT_EQ(turns.size(), 1U);
  EXPECT_NEAR(turns[0], 1.0 / 100.1, 0.2 * h / 100.0 + 1e-6);
  EXPECT_TRUE(run.seen.times(EventKind::slipToStick).empty());
}

/// A mass of 1 kg that strikes a damped stop (k = 1e6 N/m) at 1 m/s.
Outcome dampedImpact(double ratio, double h) {
  const ModalModel model =
      test::bouncer({.mass = 1.0}, Plane{}, LinearPenalty{.stiffness = 1e6, .damping = 2.0 * ratio * 1e3})
          .build();
  return runModel(model, "central_difference", test::stateOf(0.0123e-3, -1.0), {.end = 5e-3, .step = h});
}

TEST(ContactRun, DampedContactLetsGoWhilePenetratingAndNeverPulls) {
  // Values of reference/problems/I02: zeta, restitution, duration * omega.
  struct Exact {
    double ratio, restitution, duration;
  };
  for (const Exact& exact : {Exact{0.05, 0.8587581017750918, 3.045360022172125},
                             Exact{0.2, 0.5717400275847768, 2.7953544407346076},
                             Exact{0.7, 0.21028456437847837, 2.2275622815320664}}) {
    const double h = 1e-7;
    const Outcome run = dampedImpact(exact.ratio, h);
    // The force jumps to c v when the contact closes, at an unknown instant of a step: the error of the
    // impulse is at most h c v / 2.
    const double uncertain = exact.ratio * 1e3 * h;
    EXPECT_NEAR(run.state.v[0], exact.restitution, uncertain) << "zeta " << exact.ratio;
    const auto closings = run.seen.times(EventKind::closing);
    const auto openings = run.seen.times(EventKind::opening);
    ASSERT_EQ(closings.size(), 1U);
    ASSERT_EQ(openings.size(), 1U);
    EXPECT_NEAR(openings[0] - closings[0], exact.duration / 1e3, 2.0 * h + uncertain / 1e3)
        << "zeta " << exact.ratio;
    bool letGoInside = false;
    for (const test::Recorder::Row& row : run.seen.rows) {
      ASSERT_GE(row.contacts[0].normalForce, 0.0);
      letGoInside =
          letGoInside || (row.contacts[0].gap < -1e-6 && row.contacts[0].phase == ContactPhase::open);
    }
    EXPECT_TRUE(letGoInside);
  }
}

TEST(ContactRun, TotalsOfAnElasticImpact) {
  // 2 kg at 3 m/s on 8e5 N/m: impulse 2 m v = 12 N s, peak v sqrt(k m) = 3 * 1264.9 N, both to O((omega h)^2)
  const ModalModel model = test::bouncer({.mass = 2.0}, Plane{}, LinearPenalty{.stiffness = 8e5}).build();
  ModalEquation equation(model);
  State s = test::stateOf(std::sqrt(2.0) * 0.01, -3.0 * std::sqrt(2.0));
  test::Recorder seen;
  run("kick_drift", equation, s, {.end = 0.02, .step = 1e-6, .archiveEvery = 1000}, seen);
  const ContactTotals& totals = equation.contacts().runTotals()[0];
  EXPECT_EQ(totals.impacts, 1);
  EXPECT_NEAR(totals.impulse, 12.0, 12.0 * 1e-6);  // (omega h)^2 = 4e-7
  EXPECT_NEAR(totals.peakForce, 3.0 * std::sqrt(1.6e6), 1e-3);
  EXPECT_EQ(totals.frictionEnergy, 0.0);
}

TEST(ContactRun, ImposedForceThatJumpsActsAtOnce) {
  // N falls from 100 to 20 N inside a step, and the traction in slip is proportional to N.
  ModelParts parts = test::slider({.mass = 1.0}, 0.0, {.muStatic = 0.5, .muDynamic = 0.5, .stiffness = 1e6});
  const std::array times{0.0, 0.0105, 0.0105, 1.0};
  const std::array values{100.0, 100.0, 20.0, 20.0};
  parts.contacts[0].imposedForce =
      TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant);
  const ModalModel model = parts.build();
  const Outcome run =
      runModel(model, "central_difference", test::stateOf(0.0, 10.0), {.end = 0.05, .step = 1e-3});
  // v = 10 - 50 * 0.0105 - 10 * 0.0395, except for the elastic start, in which half of 50 N is missing for at
  // most one step.
  EXPECT_NEAR(run.state.v[0], 10.0 - 0.525 - 0.395, 50.0 * 1e-3 / 2.0);
  const test::Recorder::Row& early = run.seen.rows[5];
  const test::Recorder::Row& late = run.seen.rows[20];
  EXPECT_NEAR(early.contacts[0].tangentialForce.first, -50.0, 1e-12);
  EXPECT_NEAR(late.contacts[0].tangentialForce.first, -10.0, 1e-12);
  const double slope = (run.seen.rows[40].state.v[0] - run.seen.rows[20].state.v[0]) / 0.02;
  EXPECT_NEAR(slope, -10.0, 1e-9);
}

}  // namespace
}  // namespace ricochet
