// The slip and stick automaton: the branch of a step, its energy on a curved surface; tables of the friction
// coefficient over the slip speed.

#include "engine/contact/laws/automaton.hpp"

#include "engine/contact/laws/speed_table.hpp"
#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

Automaton automaton(double coefficient, double stiffness, double damping) {
  Automaton law;
  law.muStatic = law.muDynamic = coefficient;
  law.stiffness = stiffness;
  law.damping = damping;
  return law;
}

FrictionTrial<double> trialAt(double speed, const FrictionMemory<double>& memory) {
  FrictionKinematics<double> k;
  k.slipRate = {speed, 0.0};
  k.compression = 10.0;
  return automaton(0.3, 1e5, 0.0).computeTrial<double>(k, memory);
}

TEST(AutomatonLaw, KeepsItsBranchWhereItIsTold) {
  FrictionMemory<double> slips{.anchorForce = {-3.5, 0.0}, .direction = {0.1, 0.0}, .slipping = true};
  // The slip reverses: the automaton would stick with 3.5 N, which exceeds 3 N, so it slips in the other
  // direction.
  EXPECT_DOUBLE_EQ(trialAt(-0.1, slips).traction.first, 3.0);
  slips.keepsBranch = true;
  const FrictionTrial<double> kept = trialAt(-0.1, slips);
  EXPECT_DOUBLE_EQ(kept.traction.first, -3.0);
  EXPECT_TRUE(kept.next.slipping);
  EXPECT_FALSE(kept.next.keepsBranch);
  FrictionMemory<double> sticks{.anchorForce = {-3.5, 0.0}, .slipping = false, .keepsBranch = true};
  const FrictionTrial<double> held = trialAt(-0.1, sticks);
  EXPECT_DOUBLE_EQ(held.traction.first, -3.5);
  EXPECT_TRUE(held.next.slipping);  // the slip ends after the step
}

/// A body falls on the inside of a circle, sticks beside the lowest point and oscillates there.
TEST(AutomatonOnACircle, DoesTheWorkThatItsLedgerTells) {
  const NodeIndex body{0};
  for (const std::string_view scheme : {"kick_drift", "newmark"}) {
    Study study;
    study.addNode("body");
    study.addMass({body}, 0.5);
    study.fix({body}, {Component::uz});
    study.gravity = {0.0, -10.0, 0.0};
    study.initialVelocity.push_back({body, {-0.2, -0.8}});
    ContactRequest floor;
    floor.name = "floor";
    floor.first = body;
    floor.obstacle = Curved{Circle{.clearance = 0.003}};
    floor.frame = contactFrame({0.0, 1.0, 0.0});
    floor.normal = LinearPenalty{.stiffness = 4e5};
    floor.friction.law = automaton(0.8, 1.6e5, 39.0);
    study.contacts.push_back(floor);
    study.transient.emplace().duration = 0.0075;
    study.transient->scheme = scheme;
    study.transient->step = 1e-6;
    const Result result = run(study);
    ASSERT_EQ(result.report().status, RunStatus::complete);
    EXPECT_LT(std::abs(result.report().energy.balanceResidual()), 1e-5) << scheme;
  }
}

/// The body slips when it touches, sticks when its slip turns, slips again below mu_s N and leaves, twice.
/// References: SciPy, DOP853 and Radau at a tolerance of 1e-12, from the rules of the law with its events
/// (touch, slip at the threshold, |T| = mu_s N, opening); both agree to 1e-14 m. The tangent turns in the
/// stick, at whose ends the traction jumps: no step has to be short but those that locate the ends.
TEST(AutomatonOnACircle, IsFollowedByErrorControlInLongSteps) {
  const NodeIndex body{0};
  for (const std::string_view scheme : {"rk32", "rk54"}) {
    Study study;
    study.addNode("body");
    study.addMass({body}, 0.5);
    study.fix({body}, {Component::uz});
    study.gravity = {6.0, -10.0, 0.0};
    study.initialVelocity.push_back({body, {-0.2, -0.8}});
    ContactRequest hole;
    hole.name = "hole";
    hole.first = body;
    hole.obstacle = Curved{Circle{.clearance = 0.003}};
    hole.frame = contactFrame({0.0, 1.0, 0.0});
    hole.normal = LinearPenalty{.stiffness = 4e5};
    Automaton law = automaton(0.4, 1.6e5, 39.0);
    law.muStatic = 0.5;
    hole.friction.law = law;
    study.contacts.push_back(hole);
    study.transient.emplace().duration = 0.02;
    study.transient->scheme = scheme;
    study.transient->options.relativeTolerance = 1e-9;
    const Result result = run(study);
    ASSERT_EQ(result.report().status, RunStatus::complete);
    EXPECT_LT(result.report().steps, 4000) << scheme;
    EXPECT_NEAR(result.event("hole", EventKind::slipToStick), 0.003920656832639, 2e-9) << scheme;
    EXPECT_NEAR(result.displacement(body, Component::ux).back(), -0.001195108357348, 1e-8) << scheme;
    EXPECT_NEAR(result.displacement(body, Component::uy).back(), 0.001079550207715, 1e-8) << scheme;
  }
}

TEST(SpeedTable, HasPiecesOnBothSidesOfRest) {
  const SpeedTable table{{0.0, 0.1, 1.0}, {0.3, 0.2, 0.25}};
  const auto expectPiece = [](const SpeedPiece& piece, double from, double to, double slope) {
    EXPECT_DOUBLE_EQ(piece.from, from);
    EXPECT_DOUBLE_EQ(piece.to, to);
    EXPECT_NEAR(piece.slope, slope, 1e-12);
  };
  expectPiece(table.tablePieceBeyondSlipSpeed(0.0, 1), 0.0, 0.1, -1.0);
  expectPiece(table.tablePieceBeyondSlipSpeed(0.0, -1), -0.1, 0.0, 1.0);
  expectPiece(table.tablePieceBeyondSlipSpeed(0.1, 1), 0.1, 1.0, 0.05 / 0.9);
  expectPiece(table.tablePieceBeyondSlipSpeed(0.1, -1), 0.0, 0.1, -1.0);
  expectPiece(table.tablePieceBeyondSlipSpeed(-0.1, 1), -0.1, 0.0, 1.0);
  expectPiece(table.tablePieceBeyondSlipSpeed(-0.1, -1), -1.0, -0.1, -0.05 / 0.9);
}

}  // namespace
}  // namespace ricochet
