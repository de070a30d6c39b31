// Impacts in which several rigid contacts act on each other, by each law of impacts; impacts without
// collision. A uniform rod of length 2 and mass 1 touches the ground with one end: with G the velocities of
// that end per impulse along normal and tangent,
//
//     G_nn = 1 + 3 cos^2 th ,  G_tt = 1 + 3 sin^2 th ,  G_nt = -3 sin th cos th
//
// Sources: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts (Wiley, 1996), chapter 8; P.
// Painleve, C. R. Acad. Sci. 121 (1895).

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/short_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace ricochet {
namespace {

test::Outcome runWithImpactLaw(ImpactLaw law, const test::ModelParts& parts, const Vector& v, double end) {
  State initial(v.size());
  initial.v.head(v.size()) = v;
  TransientOptions options{.end = end, .step = end};
  options.scheme.impactLaw = law;
  test::Recorder recorder;
  return test::runModel(parts.build(), kEventScheme, initial, options, recorder);
}

/// A row of balls of 1 kg in contact, with one contact between neighbours.
test::ModelParts rowOfBalls(std::span<const double> restitutions) {
  const auto balls = static_cast<Eigen::Index>(restitutions.size()) + 1;
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(balls), Matrix::Zero(balls, balls), false);
  for (Eigen::Index i = 0; i + 1 < balls; ++i) {
    Contact contact =
        test::contactOf(balls, Plane{}, Rigid{.restitution = restitutions[static_cast<std::size_t>(i)]});
    contact.rows(0, i) = -1.0;
    contact.rows(0, i + 1) = 1.0;
    parts.contacts.push_back(contact);
  }
  return parts;
}

/// Three balls, the first at 1 m/s: P_1 and P_2 follow from G = {{2, -1}, {-1, 2}}.
TEST(EventImpactLaw, NewtonsCradle) {
  struct Case {
    ImpactLaw law;
    std::array<double, 2> restitutions;
    Vector velocities;
  };
  const std::array cases{// all at once: the second contact does not approach and bounces nothing
                         Case{ImpactLaw::newton, {1.0, 1.0}, Vector{{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}}},
                         Case{ImpactLaw::newton, {0.0, 1.0}, Vector{{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}}},
                         // Compression by the impulses P = (2, 1)/3.
                         Case{ImpactLaw::poisson, {1.0, 1.0}, Vector{{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}}},
                         Case{ImpactLaw::poisson, {0.0, 1.0}, Vector{{1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0}}},
                         // Sequential impacts: with e = (0, 1) three impacts, of 1/2, 1/2 and 1/4 N s.
                         Case{ImpactLaw::sequential, {1.0, 1.0}, Vector{{0.0, 0.0, 1.0}}},
                         Case{ImpactLaw::sequential, {0.0, 1.0}, Vector{{0.25, 0.25, 0.5}}}};
  for (const Case& each : cases) {
    SCOPED_TRACE(testing::Message() << nameOf(each.law) << " e = " << each.restitutions[0]);
    const test::Outcome run =
        runWithImpactLaw(each.law, rowOfBalls(each.restitutions), Vector{{1.0, 0.0, 0.0}}, 0.01);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_LT((run.state.v.head(3) - each.velocities).norm(), 1e-14);
    EXPECT_LT(run.report.energyError, 1e-14);
    EXPECT_EQ(run.report.impacts.together, 1);
    EXPECT_EQ(run.report.impacts.notUnique, 0);
    EXPECT_EQ(run.report.impacts.gains, 0);
  }
}

/// Twelve balls: in sequential impacts only the last ball moves at the end.
TEST(EventImpactLaw, ALongCradlePassesTheSpeedOn) {
  const std::array<double, 11> elastic{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  Vector v = Vector::Zero(12);
  v[0] = 3.0;
  const test::Outcome run = runWithImpactLaw(ImpactLaw::sequential, rowOfBalls(elastic), v, 0.01);
  ASSERT_EQ(run.report.status, RunStatus::complete);
  v.setZero();
  v[11] = 3.0;
  EXPECT_LT((run.state.v.head(12) - v).norm(), 1e-13);
}

/// A ball that falls on two contacts at the same position: each takes half of the impulse, by the least norm.
TEST(EventImpactLaw, ImpulsesThatAreNotUniqueAreCounted) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(1), Matrix::Zero(1, 1), false);
  for (int i = 0; i < 2; ++i) {
    Contact contact = test::contactOf(1, Plane{}, Rigid{.restitution = 0.5});
    contact.rows(0, 0) = 1.0;
    parts.contacts.push_back(contact);
  }
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    const test::Outcome run = runWithImpactLaw(law, parts, Vector{{-2.0}}, 0.01);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    EXPECT_NEAR(run.state.v[0], 1.0, 1e-14);
    EXPECT_EQ(run.report.impacts.together, 1);
    EXPECT_EQ(run.report.impacts.notUnique, 1);
  }
}

/// The rod at the angle th above the ground, its lower end to the left; q = (x, y, rotation/sqrt 3).
struct Rod {
  double angle;  ///< [rad]
  double friction;
  double restitution{0.0};

  static constexpr double kGravity = 9.81;
  double normalResponse() const { return 1.0 + 3.0 * std::cos(angle) * std::cos(angle); }
  double tangentialResponse() const { return 1.0 + 3.0 * std::sin(angle) * std::sin(angle); }
  double couplingResponse() const { return -3.0 * std::sin(angle) * std::cos(angle); }
  Vector normal() const { return Vector{{0.0, 1.0, -std::sqrt(3.0) * std::cos(angle)}}; }
  Vector tangent() const { return Vector{{1.0, 0.0, std::sqrt(3.0) * std::sin(angle)}}; }
  test::ModelParts parts() const {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), false);
    parts.loads.push_back({Vector{{0.0, -kGravity, 0.0}}, TimeFunction::constant(1.0)});
    Contact tip = test::contactOf(3, Plane{}, Rigid{.restitution = restitution}, Coulomb{friction, friction});
    tip.rows.row(0) = normal();
    tip.rows.row(1) = tangent();
    parts.contacts = {tip};
    return parts;
  }
  /// Impulses (normal, tangential) that change the rates of the end by given amounts.
  std::array<double, 2> impulsesFor(double normalChange, double tangentialChange) const {
    const double determinant =
        normalResponse() * tangentialResponse() - couplingResponse() * couplingResponse();
    return {(tangentialResponse() * normalChange - couplingResponse() * tangentialChange) / determinant,
            (normalResponse() * tangentialChange - couplingResponse() * normalChange) / determinant};
  }
};

constexpr double kDegree = std::numbers::pi / 180.0;

/// The end strikes at v_n = -1, v_t = 0.3 and sticks. Newton: v_n+ = e. Poisson: the impulse of the
/// compression is C, and e C_n with friction that holds the end gives v_n+ = e (1 + v_t G_nt/G_tt). Newton's
/// law gains energy here, P_t v_t/2 with e = 1 (T.R. Kane, D.A. Levinson, Dynamics, McGraw-Hill 1985).
TEST(EventImpactLaw, ARodThatSticksReboundsByTheLaw) {
  constexpr double kSlip = 0.3, kEnd = 1e-9;
  for (const double e : {0.5, 1.0}) {
    const Rod rod{.angle = 50.0 * kDegree, .friction = 1.2, .restitution = e};
    const Vector before{{kSlip, -1.0, 0.0}};
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
      SCOPED_TRACE(testing::Message() << nameOf(law) << ", e = " << e);
      const double rebound = law == ImpactLaw::newton
                                 ? e
                                 : e * (1.0 + kSlip * rod.couplingResponse() / rod.tangentialResponse());
      const auto [normal, tangential] = rod.impulsesFor(1.0 + rebound, -kSlip);
      ASSERT_LT(std::abs(tangential), rod.friction * normal);
      const Vector after = before + normal * rod.normal() + tangential * rod.tangent();
      const test::Outcome run = runWithImpactLaw(law, rod.parts(), before, kEnd);
      ASSERT_EQ(run.report.status, RunStatus::complete);
      const Vector gravityImpulse{{0.0, -Rod::kGravity * kEnd, 0.0}};
      EXPECT_LT((run.state.v.head(3) - after - gravityImpulse).norm(), 1e-14);
      const bool gains = after.squaredNorm() > before.squaredNorm();
      EXPECT_EQ(gains, law == ImpactLaw::newton && e == 1.0);
      EXPECT_EQ(run.report.impacts.gains, gains ? 1 : 0);
      EXPECT_EQ(run.report.impacts.together, 0);
      EXPECT_LT(run.report.energyError, 1e-13);
    }
  }
}

/// Without friction, if all contacts approach and have the same coefficient, no law gains energy, and no
/// contact approaches after the impact.
TEST(EventImpactLaw, NoLawGainsEnergyWithoutFriction) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 100; ++i) {
    const double e = 0.5 + 0.5 * uniform(random);
    constexpr Eigen::Index kModes = 4;
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(kModes), Matrix::Zero(kModes, kModes), false);
    Vector v = Vector::Zero(kModes);
    for (int c = 0; c < 3; ++c) {
      Contact contact = test::contactOf(kModes, Plane{}, Rigid{.restitution = e});
      for (Eigen::Index k = 0; k < kModes; ++k) contact.rows(0, k) = uniform(random);
      v -= contact.rows.row(0).transpose();
      parts.contacts.push_back(contact);
    }
    for (Contact& contact : parts.contacts)
      if (contact.rows.row(0).dot(v) > 0.0) contact.rows.row(0) *= -1.0;
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::sequential}) {
      SCOPED_TRACE(testing::Message() << nameOf(law) << " " << i);
      const test::Outcome run = runWithImpactLaw(law, parts, v, 1e-9);
      ASSERT_EQ(run.report.status, RunStatus::complete);
      EXPECT_LE(run.state.v.head(kModes).squaredNorm(), (1.0 + 1e-13) * v.squaredNorm());
      EXPECT_EQ(run.report.impacts.gains, 0);
      for (const Contact& contact : parts.contacts)
        EXPECT_GT(contact.rows.row(0).dot(run.state.v.head(kModes)), -1e-12);
    }
  }
}

/// The end slides at -1 and friction presses it into the ground: with mu |G_nt| > G_nn no finite reaction
/// exists, and impulses stop the end, which then acts as a hinge. With less friction the rod continues to
/// slide.
TEST(EventImpactLaw, ARodJamsWithoutCollision) {
  constexpr double kEnd = 1e-6;
  const Vector before{{-1.0, 0.0, 0.0}};
  const Rod jams{.angle = 50.0 * kDegree, .friction = 1.8};
  ASSERT_GT(jams.friction * std::abs(jams.couplingResponse()), jams.normalResponse());
  const auto [normal, tangential] = jams.impulsesFor(0.0, 1.0);
  ASSERT_LT(std::abs(tangential), jams.friction * normal);
  const Vector after = before + normal * jams.normal() + tangential * jams.tangent();
  // x', y', rotation
  EXPECT_NEAR(after[0], -0.44011807, 5e-9);
  EXPECT_NEAR(after[1], 0.36930291, 5e-9);
  EXPECT_NEAR(std::sqrt(3.0) * after[2], 0.57453333, 5e-9);
  const test::Outcome stopped = runWithImpactLaw(ImpactLaw::newton, jams.parts(), before, kEnd);
  ASSERT_EQ(stopped.report.status, RunStatus::complete);
  EXPECT_EQ(stopped.report.impacts.withoutCollision, 1);
  // Afterwards the end rests: reactions cancel the acceleration g of the end towards the ground.
  const auto [press, pull] = jams.impulsesFor(Rod::kGravity, 0.0);
  const Vector acceleration =
      Vector{{0.0, -Rod::kGravity, 0.0}} + press * jams.normal() + pull * jams.tangent();
  EXPECT_LT((stopped.state.v.head(3) - after - kEnd * acceleration).norm(), 1e-14);
  EXPECT_LT(stopped.report.energyError, 1e-13);

  const Rod slides{.angle = 50.0 * kDegree, .friction = 1.2};
  const test::Outcome slid = runWithImpactLaw(ImpactLaw::newton, slides.parts(), before, kEnd);
  ASSERT_EQ(slid.report.status, RunStatus::complete);
  EXPECT_EQ(slid.report.impacts.withoutCollision, 0);
  const double reaction =
      Rod::kGravity / (slides.normalResponse() + slides.friction * slides.couplingResponse());
  EXPECT_NEAR(slid.state.v[0], -1.0 + slides.friction * reaction * kEnd, 1e-14);
}

}  // namespace
}  // namespace ricochet
