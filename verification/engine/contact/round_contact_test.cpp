// Contacts in the plane of a circle or a disc: the bits of the general functions for curved obstacles, and
// closed forms.

#include "engine/accounts/checkpoint.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/numerics/flush_to_zero.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace ricochet {
namespace {

constexpr double kRadius = 0.01;        // radii of hole and bar [m]
constexpr double kWallStiffness = 1e6;  // [N/m]
constexpr double kFriction = 0.25;      // friction coefficient
constexpr double kRoundStep = 1e-5;     // [s]
constexpr Eigen::Index kAlong = 2;      // mode that moves a body along the axis

Automaton automaton() {
  Automaton law;
  law.muStatic = law.muDynamic = kFriction;
  law.stiffness = 1e5;
  law.damping = 3.0;
  return law;
}

Contact bodyAt(const AnyObstacle& obstacle, const AnyNormalLaw& normal, const AnyFrictionLaw& friction) {
  Contact contact = test::contactOf(3, obstacle, normal, friction);
  contact.rows(0, 0) = contact.rows(1, 1) = 1.0;
  contact.offset = {1e-4, -2e-4, 3e-3};
  return contact;
}

/// The contact with a row along the axis, along which no body moves. The engine then uses the general
/// functions, because the motion is not known to be planar.
Contact withAxialMotion(Contact contact) {
  contact.rows(2, kAlong) = 1.0;
  return contact;
}

ContactSet setOf(const Contact& contact) { return ContactSet({contact}, 3); }

/// A body that moves at random near the surface of an obstacle.
class Wanderer {
 public:
  explicit Wanderer(unsigned seed) : random_(seed) { q.head(2) << 0.6 * kRadius, 0.8 * kRadius; }
  void move() {
    for (Eigen::Index i = 0; i < 2; ++i) {
      v[i] += 0.4 * uniform();
      a[i] = 100.0 * uniform();
    }
    // The spring holds the body near the surface.
    const double r = q.head(2).norm();
    v.head(2) -= (600.0 * (r - kRadius) + 0.02 * v.head(2).dot(q.head(2)) / r) / r * q.head(2);
    if (uniform() > 0.9) v.head(2) *= -0.2;
    if (uniform() > 0.95) v.head(2) *= 1e-8;  // a small motion
    if (uniform() > 0.4) {                    // a radial motion: a closing contact sticks
      v.head(2) = (v.head(2).dot(q.head(2)) / (r * r) * q.head(2)).eval();
      a.setZero();
    }
    q.head(2) += kRoundStep * v.head(2);
  }
  Motion motion() const { return {q.data(), v.data(), 0.5 * kRoundStep, a.data()}; }

  Vector q{Vector::Zero(paddedSize(3))}, v{Vector::Zero(paddedSize(3))}, a{Vector::Zero(paddedSize(3))};

 private:
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  std::mt19937 random_;
};

void expectSame(const Tangential<double>& a, const Tangential<double>& b) {
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.second, b.second);
}

void expectSame(const ContactState& a, const ContactState& b) {
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.gapRate, b.gapRate);
  EXPECT_EQ(a.side, b.side);
  EXPECT_EQ(a.compression, b.compression);
  EXPECT_EQ(a.normal, b.normal);
  EXPECT_EQ(a.storedNormal, b.storedNormal);
  EXPECT_EQ(a.storedTangential, b.storedTangential);
  expectSame(a.position, b.position);
  expectSame(a.slipRate, b.slipRate);
  expectSame(a.traction, b.traction);
  expectSame(a.friction.anchorForce, b.friction.anchorForce);
  expectSame(a.friction.anchorPosition, b.friction.anchorPosition);
  expectSame(a.friction.direction, b.friction.direction);
  EXPECT_EQ(a.friction.slipping, b.friction.slipping);
}

void expectSame(const FollowedState& a, const FollowedState& b) {
  EXPECT_EQ(a.place, b.place);
  EXPECT_EQ(a.frame.normal, b.frame.normal);
  EXPECT_EQ(a.frame.first, b.frame.first);
  EXPECT_EQ(a.frame.second, b.frame.second);
  EXPECT_EQ(a.anchor, b.anchor);
  EXPECT_EQ(a.push, b.push);
}

Vector generalizedForceOf(const ContactRun& run) {
  Vector force = Vector::Zero(paddedSize(3));
  run.addForces(force.data(), force.data());
  return force;
}

/// Runs both contacts with one random motion and counts the events of each kind.
std::array<int, 5> compareRuns(const Contact& contact, unsigned seed) {
  const ContactSet flat = setOf(contact), deep = setOf(withAxialMotion(contact));
  EXPECT_TRUE(flat.isCircleContactInPlane(0));
  EXPECT_FALSE(deep.isCircleContactInPlane(0));
  ContactRun a(flat), b(deep);
  EnergyLedger inA, inB;
  Wanderer body(seed);
  a.start(0.0, body.motion());
  b.start(0.0, body.motion());
  std::array<int, 5> seen{};
  for (int n = 1; n <= 1000 && !testing::Test::HasFailure(); ++n) {
    body.move();
    const double t = n * kRoundStep;
    a.evaluate(t, body.motion());
    b.evaluate(t, body.motion());
    expectSame(a.trialState(0), b.trialState(0));
    if (a.trialState(0).isClosed()) expectSame(a.trialFollowedState(0), b.trialFollowedState(0));
    EXPECT_EQ(generalizedForceOf(a), generalizedForceOf(b)) << "step " << n;
    Vector kickA = Vector::Zero(paddedSize(3)), kickB = kickA;
    EXPECT_EQ(a.acceptStep(t, kRoundStep, inA, kickA.data()), b.acceptStep(t, kRoundStep, inB, kickB.data()));
    EXPECT_EQ(kickA, kickB);
    expectSame(a.state(0), b.state(0));
    EXPECT_EQ(a.events().size(), b.events().size());
    for (std::size_t k = 0; k < std::min(a.events().size(), b.events().size()); ++k) {
      EXPECT_EQ(a.events()[k].time, b.events()[k].time);
      EXPECT_EQ(a.events()[k].kind, b.events()[k].kind);
      ++seen[static_cast<std::size_t>(a.events()[k].kind)];
    }
    a.events().clear();
    b.events().clear();
  }
  EXPECT_EQ(a.runTotals()[0].impulse, b.runTotals()[0].impulse);
  EXPECT_EQ(a.runTotals()[0].frictionEnergy, b.runTotals()[0].frictionEnergy);
  EXPECT_EQ(a.runTotals()[0].peakForce, b.runTotals()[0].peakForce);
  EXPECT_EQ(a.runTotals()[0].impacts, b.runTotals()[0].impacts);
  EXPECT_EQ(inA.friction, inB.friction);
  EXPECT_EQ(inA.damping, inB.damping);
  EXPECT_EQ(inA.external, inB.external);
  EXPECT_EQ(a.storedEnergy(), b.storedEnergy());
  return seen;
}

TEST(RoundContact, HasTheBitsOfTheWayThroughSpace) {
  const FlushToZero flush;
  Stribeck stribeck;
  stribeck.stiffness = 1e5;
  const std::vector<AnyFrictionLaw> frictions{Frictionless{}, RegularisedCoulomb{0.3, kFriction, 1e5, 0.0},
                                              RegularisedCoulomb{0.3, kFriction, 1e5, 4.0}, stribeck,
                                              automaton()};
  std::array<int, 5> seen{};
  for (const AnyObstacle& obstacle :
       {AnyObstacle(Curved{Circle{.clearance = kRadius}}), AnyObstacle(Curved{Disc{.radius = kRadius}})})
    for (const AnyNormalLaw& normal :
         {AnyNormalLaw(LinearPenalty{.stiffness = kWallStiffness}),
          AnyNormalLaw(LinearPenalty{.stiffness = kWallStiffness, .damping = 50.0}),
          AnyNormalLaw(HuntCrossley{.stiffness = 1e8, .exponent = 1.5, .damping = 0.2})})
      for (const AnyFrictionLaw& friction : frictions)
        for (unsigned seed = 1; seed <= 3; ++seed) {
          const auto events = compareRuns(bodyAt(obstacle, normal, friction), seed);
          for (std::size_t k = 0; k < seen.size(); ++k) seen[k] += events[k];
          ASSERT_FALSE(HasFailure()) << obstacleKeyword(obstacle) << ", law of friction " << friction.index()
                                     << ", seed " << seed;
        }
  // Numbers of closings, openings, slips, sticks, reversals.
  for (const int count : seen) EXPECT_GT(count, 100);
}

TEST(RoundContact, IsOnlyWhatStaysInThePlaneOfAnObstacleAtRest) {
  const Contact plain =
      bodyAt(Curved{Circle{.clearance = kRadius}}, LinearPenalty{.stiffness = 1.0}, automaton());
  EXPECT_TRUE(setOf(plain).isCircleContactInPlane(0));
  const auto isCircleContactInPlane = [&](auto&& change) {
    Contact contact = plain;
    change(contact);
    return setOf(contact).isCircleContactInPlane(0);
  };
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.obstacle = Curved{Sphere{.radius = kRadius}}; }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.obstacle = Slot{kRadius}; }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.drift.push_back({}); }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.surface.push_back({}); }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.surfaceSpin.push_back({}); }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.rollRow = Eigen::RowVectorXd::Ones(3); }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.tangentScale = {0.5, 1.0}; }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.tangentScale = {1.0, 0.5}; }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.normal = ImposedForce{}; }));
  EXPECT_FALSE(isCircleContactInPlane([](Contact& c) { c.rows.row(1).setZero(); }));
}

/// Motion along the inside of the circle at a constant angular rate with the penetration `depth`.
void setMotionAroundCircle(double depth, double rate, double t, Vector& q, Vector& v) {
  const double r = kRadius + depth;
  q.head(2) << r * std::cos(rate * t), r * std::sin(rate * t);
  v.head(2) << -r * rate * std::sin(rate * t), r * rate * std::cos(rate * t);
}

TEST(RoundContact, ForcesAndWorkOfASlipAroundTheCircle) {
  // N = k p towards the axis and mu N against the motion; a slip by the angle phi dissipates mu N r phi,
  // along the arc or, for the automaton, from the slip rate. The tolerance is the rounding of the
  // penetration, 1e-16 r/p = 1e-13.
  constexpr double kDepth = 2e-5, kRate = 400.0;
  constexpr int kSteps = 3000;
  const double normal = kWallStiffness * kDepth, r = kRadius + kDepth, phi = kRate * kRoundStep;
  const RegularisedCoulomb coulomb{kFriction, kFriction, 1e12, 0.0};
  for (const AnyFrictionLaw& law : {AnyFrictionLaw(automaton()), AnyFrictionLaw(coulomb)}) {
    Contact contact =
        bodyAt(Curved{Circle{.clearance = kRadius}}, LinearPenalty{.stiffness = kWallStiffness}, law);
    contact.offset = Vec3::Zero();
    const ContactSet set = setOf(contact);
    ASSERT_TRUE(set.isCircleContactInPlane(0));
    ContactRun run(set);
    EnergyLedger ledger;
    Vector q = Vector::Zero(paddedSize(3)), v = q, kick = q;
    setMotionAroundCircle(kDepth, kRate, 0.0, q, v);
    run.start(0.0, {q.data(), v.data(), 0.0, v.data()});
    double before = 0.0;
    for (int n = 1; n <= kSteps; ++n) {
      const double t = n * kRoundStep;
      setMotionAroundCircle(kDepth, kRate, t, q, v);
      run.evaluate(t, {q.data(), v.data(), 0.0, v.data()});
      const Vector expected = -normal / r * q - kFriction * normal / (r * kRate) * v;
      EXPECT_NEAR((generalizedForceOf(run) - expected).norm(), 0.0, 1e-11 * normal);
      run.acceptStep(t, kRoundStep, ledger, kick.data());
      if (n == 1) before = ledger.friction;  // energy in the spring of Coulomb's stick
    }
    const double slid = (kSteps - 1) * r * phi;
    EXPECT_NEAR(ledger.friction - before, kFriction * normal * slid, 1e-11 * normal * slid) << law.index();
    EXPECT_EQ(ledger.damping, 0.0);
    EXPECT_EQ(ledger.external, 0.0);
    EXPECT_NEAR(run.runTotals()[0].impulse, normal * kSteps * kRoundStep, 1e-11 * normal);
  }
}

TEST(RoundContact, OpensAfterACheckpointOfAClosedOne) {
  const FlushToZero flush;
  const ContactSet set = setOf(
      bodyAt(Curved{Circle{.clearance = kRadius}}, LinearPenalty{.stiffness = kWallStiffness}, automaton()));
  Vector q = Vector::Zero(paddedSize(3)), v = q, kick = q;
  const Motion motion{q.data(), v.data(), 0.0, v.data()};
  EnergyLedger ledger;
  ContactRun run(set), resumed(set);
  run.start(0.0, motion);
  resumed.start(0.0, motion);  // open
  q[0] = 1.01 * kRadius;
  run.evaluate(kRoundStep, motion);
  run.acceptStep(kRoundStep, kRoundStep, ledger, kick.data());
  ASSERT_TRUE(run.state(0).isClosed());
  std::vector<std::byte> bytes;
  CheckpointReader reader(writeCheckpointTo(bytes, [&](auto& archive) { run.serialise(archive); }));
  resumed.serialise(reader);
  q[0] = 0.5 * kRadius;
  for (ContactRun* each : {&run, &resumed}) {
    each->events().clear();
    each->evaluate(2.0 * kRoundStep, motion);
    each->acceptStep(2.0 * kRoundStep, kRoundStep, ledger, kick.data());
    EXPECT_FALSE(each->state(0).isClosed());
    ASSERT_EQ(each->events().size(), 1U);
    EXPECT_EQ(each->events()[0].kind, EventKind::opening);
  }
}

}  // namespace
}  // namespace ricochet
