#include "engine/accounts/energy_ledger.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace ricochet {
namespace {

using test::Outcome;
using test::runModel;

constexpr std::array kSecondOrder{"kick_drift", "central_difference"};

double energyErrorOf(const EnergyWatch& watch, long long steps = 0, double passedImpulse = 0.0) {
  return watch.relativeEnergyError(steps, [passedImpulse] { return passedImpulse; });
}

TEST(EnergyWatch, ComparesTheLargestResidualWithTheLargestEnergy) {
  EnergyWatch watch;
  EnergyLedger ledger;
  ledger.kinetic = 10.0;
  ledger.initial = 10.0;
  watch.startWatchFromLedger(ledger);
  EXPECT_EQ(energyErrorOf(watch), 0.0);
  ledger.kinetic = 39.0;
  ledger.external = 30.0;
  watch.updateExtremesFromLedger(ledger);  // the balance is -1, with a size of 39 J
  ledger.kinetic = 10.0;
  ledger.external = 0.0;
  watch.updateExtremesFromLedger(ledger);
  EXPECT_DOUBLE_EQ(energyErrorOf(watch), 1.0 / 39.0);
}

TEST(EnergyWatch, PreloadThatStaysDoesNotHideAnError) {
  EnergyWatch watch;
  EnergyLedger ledger;
  ledger.contact = 1e6;
  ledger.initial = 1e6;
  watch.startWatchFromLedger(ledger);
  ledger.kinetic = 1.0;  // energy without a source
  watch.updateExtremesFromLedger(ledger);
  EXPECT_DOUBLE_EQ(energyErrorOf(watch), 1.0);
}

TEST(EnergyWatch, IsZeroWhenNothingEverMoved) {
  EnergyWatch watch;
  watch.startWatchFromLedger(EnergyLedger{});
  EXPECT_EQ(energyErrorOf(watch), 0.0);
}

/// 100 N over 1e-16 m at 1e-16 m/s of 1 kg: forces with a total impulse of 100 N s that cancel except for
/// rounding.
EnergyWatch atRest() {
  EnergyWatch watch;
  EnergyLedger ledger;
  watch.startWatchFromLedger(ledger);
  ledger.external = 1e-14;
  ledger.kinetic = 0.5e-32;
  watch.updateExtremesFromLedger(ledger);
  return watch;
}

TEST(EnergyWatch, RoundingOfForcesOverRoundingOfPlacesIsNone) {
  EXPECT_EQ(energyErrorOf(atRest(), 1, 100.0), 0.0);
  // Without an impulse of contacts, the missing work is an error.
  EXPECT_DOUBLE_EQ(energyErrorOf(atRest(), 1, 0.0), 1.0);
  // The structure moves at 1 mm/s, and the ledger lost a fiftieth of its energy.
  EnergyWatch moving = atRest();
  EnergyLedger ledger;
  ledger.external = 0.51e-6;
  ledger.kinetic = 0.5e-6;
  moving.updateExtremesFromLedger(ledger);
  EXPECT_NEAR(energyErrorOf(moving, 1, 100.0), 0.01 / 0.51, 1e-12);
}

/// Contacts transmit 100 N s, and all energies are rounding errors: none of them is a scale.
TEST(EnergyWatch, EnergiesThatAreAllRoundingHaveNoError) {
  EnergyWatch watch;
  EnergyLedger ledger;
  watch.startWatchFromLedger(ledger);
  ledger.kinetic = 0.5e-32;  // 1 kg at 1e-16 m/s
  watch.updateExtremesFromLedger(ledger);
  EXPECT_EQ(energyErrorOf(watch, 1, 100.0), 0.0);
  EXPECT_DOUBLE_EQ(energyErrorOf(watch, 1, 0.0), 1.0);
}

TEST(EnergyWatch, WhatABeltTakesFromAStructureAtRestCounts) {
  // 10 N of friction on a belt of 1 m/s for 10 s; the ledger has lost 1 % of this work.
  EnergyWatch watch;
  EnergyLedger ledger;
  watch.startWatchFromLedger(ledger);
  ledger.external = 100.0;
  ledger.friction = 99.0;
  watch.updateExtremesFromLedger(ledger);
  EXPECT_DOUBLE_EQ(energyErrorOf(watch, 10000, 1000.0), 0.01);
}

TEST(EnergyWatch, TheLastDigitsOfAPreloadAreNone) {
  EnergyWatch watch;
  EnergyLedger ledger;
  ledger.contact = ledger.initial = 1.0;
  watch.startWatchFromLedger(ledger);
  ledger.damping = 3e-15;  // sums of differences of a stored energy of 1 J
  watch.updateExtremesFromLedger(ledger);
  EXPECT_EQ(energyErrorOf(watch, 100), 0.0);
  ledger.damping = 1e-12;
  watch.updateExtremesFromLedger(ledger);
  EXPECT_NEAR(energyErrorOf(watch, 100), 1.0, 1e-3);  // the sum of 1 J is accurate to 1e-16
}

TEST(Energy, ClosesThroughAnElasticImpact) {
  // Kinetic, contact and again kinetic energy: the trapezoidal rule is exact for a linear force except in the
  // closing step, whose residual is at most k (v h)^2 / 8 = 1e6 * 1e-12 / 8 of 1/2 J.
  for (const char* scheme : kSecondOrder) {
    const test::ModelParts parts = test::bouncer({.mass = 1.0}, Plane{}, LinearPenalty{.stiffness = 1e6});
    const Outcome run =
        runModel(parts.build(), scheme, test::stateOf(1e-3, -1.0), {.end = 0.01, .step = 1e-6});
    EXPECT_LT(run.report.energyError, 1e-6) << scheme;
    EXPECT_NEAR(run.report.energy.kinetic, 0.5, 1e-6) << scheme;
    EXPECT_NEAR(run.report.energy.damping, 0.0, 1e-6) << scheme;
    double peak = 0.0;
    for (const test::Recorder::Row& row : run.seen.rows) peak = std::max(peak, row.ledger.contact);
    EXPECT_NEAR(peak, 0.5, 1e-6) << scheme;
  }
}

TEST(Energy, DampedImpactDissipatesWhatTheMotionLoses) {
  // zeta = 0.2: restitution 0.57174 (reference/problems/I02), so 1/2 (1 - e^2) J is dissipated, with an error
  // h c v by the jump of the force.
  for (const char* scheme : kSecondOrder) {
    const double h = 1e-7;
    const test::ModelParts parts =
        test::bouncer({.mass = 1.0}, Plane{}, LinearPenalty{.stiffness = 1e6, .damping = 400.0});
    const Outcome run = runModel(parts.build(), scheme, test::stateOf(1e-5, -1.0),
                                 {.end = 0.01, .step = h, .archiveEvery = 100});
    const double restitution = 0.5717400275847768;
    EXPECT_NEAR(run.report.energy.damping, 0.5 * (1.0 - restitution * restitution), 400.0 * h) << scheme;
    EXPECT_LT(run.report.energyError, 1.01 * 400.0 * h) << scheme;
    EXPECT_EQ(run.report.energy.contact, 0.0) << scheme;
  }
}

TEST(Energy, FrictionDissipatesForceTimesDistance) {
  // 2 kg at 3 m/s under mu N = 20 N: 9 J, of which at most (mu N)^2 / (2 k_t) = 2e-4 J oscillate between the
  // stick spring and the mass at the end.
  for (const char* scheme : kSecondOrder) {
    const test::ModelParts parts =
        test::slider({.mass = 2.0}, 100.0, {.muStatic = 0.2, .muDynamic = 0.2, .stiffness = 1e6});
    const Outcome run =
        runModel(parts.build(), scheme, test::stateOf(0.0, 3.0 * std::sqrt(2.0)), {.end = 0.5, .step = 1e-4});
    EXPECT_NEAR(run.report.energy.friction, 9.0, 4e-4) << scheme;
    const double distance = run.state.q[0] / std::sqrt(2.0);
    // The force rises from 0 to 20 N in the first step of 3 m/s * 1e-4 s.
    EXPECT_NEAR(run.report.energy.friction, 20.0 * distance, 20.0 * 0.5 * 3e-4) << scheme;
    EXPECT_LT(run.report.energyError, 1e-4) << scheme;
    EXPECT_NEAR(run.report.energy.damping, 0.0, 1e-15) << scheme;  // rounding of the elastic stick
  }
}

TEST(Energy, FrictionNeverGivesEnergyBack) {
  for (const char* scheme : kSecondOrder) {
    State initial(1);
    initial.q[0] = test::kSdnd100Start;
    const Outcome run = runModel(test::sdnd100().build(), scheme, initial, {.end = 0.2, .step = 1e-5});
    double before = 0.0;
    for (const test::Recorder::Row& row : run.seen.rows) {
      EXPECT_GE(row.ledger.friction, before - 1e-15) << scheme << " at " << row.state.time;
      before = row.ledger.friction;
    }
    EXPECT_LT(run.report.energyError, 1e-3) << scheme;
    EXPECT_GT(before, 3.5e-3) << scheme;  // F03: 3.6e-3 J in all
  }
}

TEST(Energy, ModalDampingDissipatesTheAmplitudeLost) {
  // 1/2 omega^2 q^2 decreases as exp(-2 xi omega t); the trapezoidal rule for v C v has the relative error
  // (omega h)^2 / 12.
  for (const char* scheme : kSecondOrder) {
    const test::ModelParts parts = test::oscillator({.mass = 1.0, .stiffness = 1e4, .damping = 20.0});
    const Outcome run = runModel(parts.build(), scheme, test::stateOf(1.0, 0.0), {.end = 1.0, .step = 1e-4});
    const double left = run.report.energy.kinetic + run.report.energy.elastic;
    EXPECT_NEAR(run.report.energy.damping, 5000.0 - left, 5000.0 * 1e-4) << scheme;
    EXPECT_LT(run.report.energyError, 1e-4) << scheme;
  }
}

TEST(Energy, ExternalWorkIsForceTimesDisplacement) {
  // A constant force on a free mass is exact for schemes of second order.
  for (const char* scheme : kSecondOrder) {
    test::ModelParts parts = test::oscillator({.mass = 4.0});
    parts.loads.push_back({Vector::Constant(1, 10.0 / 2.0), TimeFunction::constant(1.0)});
    const Outcome run = runModel(parts.build(), scheme, State(1), {.end = 2.0, .step = 0.01});
    // x = F t^2 / 2m = 5 m: 50 J, within the rounding of 200 additions.
    EXPECT_NEAR(run.report.energy.external, 50.0, 1e-11) << scheme;
    EXPECT_LT(run.report.energyError, 1e-12) << scheme;
  }
}

TEST(Energy, ClosesOnTheShoe) {
  // SDND106, elastic stick: work of the load and friction of F01 (7912.08 and 7911.21 J) within 1e-3 by the
  // penalty, the residual within (omega h)^2 of the stick, (1e-5 * 3162)^2 = 1e-3.
  for (const char* scheme : kSecondOrder) {
    const Outcome run =
        runModel(test::sdnd106().build(), scheme, State(2), {.end = 0.34, .step = 1e-5, .archiveEvery = 100});
    EXPECT_NEAR(run.report.energy.external, 7912.084263024041, 8.0) << scheme;
    EXPECT_NEAR(run.report.energy.friction, 7911.211546995205, 8.0) << scheme;
    EXPECT_LT(run.report.energyError, 1e-3) << scheme;
  }
}

TEST(Energy, WorkOfAnImposedNormalForceIsExternal) {
  // N = 100 N moves a mass of 1 kg along e1 of a contact without geometry: 5000 t^2 J.
  test::ModelParts parts = test::oscillator({.mass = 1.0});
  parts.contacts.push_back(test::contactOf(1, NoObstacle{}, ImposedForce{}));
  parts.contacts[0].rows(0, 0) = 1.0;
  parts.contacts[0].imposedForce = TimeFunction::constant(100.0);
  for (const char* scheme : kSecondOrder) {
    const Outcome run = runModel(parts.build(), scheme, State(1), {.end = 0.1, .step = 1e-3});
    EXPECT_NEAR(run.report.energy.external, 50.0, 1e-10) << scheme;
    EXPECT_NEAR(run.report.energy.kinetic, 50.0, 1e-10) << scheme;
    EXPECT_EQ(run.report.energy.damping, 0.0) << scheme;
  }
}

TEST(Energy, NothingStaysInARubbingContactThatLetGoWhilePenetrating) {
  // With zeta = 0.7 the contact force ends at a large penetration; the energy of the stick spring (mu N at
  // that instant) must not return in a later step. Quadrature error: the closing force c v = 1400 N in a step
  // of 1e-7 m, and 1400 * 0.3 N of friction along the same distance.
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), true);
  parts.contacts.push_back(
      test::contactOf(2, Plane{}, LinearPenalty{.stiffness = 1e6, .damping = 1400.0},
                      RegularisedCoulomb{.muStatic = 0.3, .muDynamic = 0.3, .stiffness = 1e3}));
  parts.contacts[0].rows(0, 0) = 1.0;
  parts.contacts[0].rows(1, 1) = 1.0;
  for (const char* scheme : kSecondOrder) {
    State initial(2);
    initial.q[0] = 1e-5;
    initial.v.head(2) << -1.0, 1.0;
    const Outcome run =
        runModel(parts.build(), scheme, initial, {.end = 0.02, .step = 1e-7, .archiveEvery = 101});
    EXPECT_EQ(run.report.energy.contact, 0.0) << scheme;
    EXPECT_LT(run.report.energyError, 1400.0 * 1.3 * 1e-7) << scheme;
    for (const test::Recorder::Row& row : run.seen.rows) {
      if (row.contacts[0].phase != ContactPhase::open) continue;
      const double spring = 0.5 * 1e6 * std::pow(std::min(0.0, row.contacts[0].gap), 2);
      // The gap of the view and the gap of the account differ by rounding.
      ASSERT_NEAR(row.ledger.contact, spring, 1e-12) << scheme << " at " << row.state.time;
    }
  }
}

TEST(Energy, StickSpringLetsGoWhenTheImposedForceVanishes) {
  // 1 kg oscillates on its stick spring (omega = 100 1/s) with 0.1 J; N falls to 0 at 0.0105 s: the energy of
  // the spring is dissipated, and the mass keeps 0.1 cos^2(1.05). The trapezoidal rule of the account has the
  // error (omega h)^2 / 12.
  test::ModelParts parts =
      test::slider({.mass = 1.0}, 0.0, {.muStatic = 0.5, .muDynamic = 0.5, .stiffness = 1e4});
  const std::array times{0.0, 0.0105, 0.0105, 1.0};
  const std::array values{100.0, 100.0, 0.0, 0.0};
  parts.contacts[0].imposedForce =
      TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant);
  for (const char* scheme : kSecondOrder) {
    const double h = 1e-5;
    const Outcome run =
        runModel(parts.build(), scheme, test::stateOf(0.0, std::sqrt(0.2)), {.end = 0.02, .step = h});
    for (const test::Recorder::Row& row : run.seen.rows) {
      if (row.state.time < 0.0105 + h) continue;
      ASSERT_EQ(row.ledger.contact, 0.0) << scheme << " at " << row.state.time;
      ASSERT_NEAR(row.ledger.kinetic, 0.1 * std::pow(std::cos(1.05), 2), 1e-6) << scheme;
    }
    EXPECT_LT(run.report.energyError, 1e-6) << scheme;
  }
}

TEST(Energy, WorkOfAnImposedNormalForceThatJumps) {
  // 100 N for 0.05 s, then 300 N: v = 20 m/s for 1 kg. The contact moves along its normal while N jumps.
  test::ModelParts parts = test::oscillator({.mass = 1.0});
  parts.contacts.push_back(test::contactOf(1, NoObstacle{}, ImposedForce{}));
  parts.contacts[0].rows(0, 0) = 1.0;
  const std::array times{0.0, 0.05, 0.05, 1.0};
  const std::array values{100.0, 100.0, 300.0, 300.0};
  parts.contacts[0].imposedForce =
      TimeFunction::table(times, values, TimeFunction::Outside::constant, TimeFunction::Outside::constant);
  for (const char* scheme : kSecondOrder) {
    const Outcome run = runModel(parts.build(), scheme, State(1), {.end = 0.1, .step = 1e-3});
    EXPECT_NEAR(run.state.v[0], 20.0, 1e-11) << scheme;
    EXPECT_NEAR(run.report.energy.external, 200.0, 1e-9) << scheme;
    EXPECT_LT(run.report.energyError, 1e-11) << scheme;
  }
}

}  // namespace
}  // namespace ricochet
