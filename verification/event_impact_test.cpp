// Impacts at the edge of what can be seen: grazing ones, and infinitely many in a finite time.

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

/// x = sin(omega t) towards a stop at `distance`, for three quarters of a period: one peak, at 1 m.
test::Outcome swingTowards(double distance, double omega, const AnyNormalLaw& law) {
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
        const test::Outcome run = swingTowards(1.0 - excess, omega, law);
        SCOPED_TRACE(testing::Message() << "law " << law.index() << ", omega " << omega << ", " << excess);
        ASSERT_EQ(run.report.status, RunStatus::complete);
        ASSERT_EQ(run.seen.times(EventKind::closing).size(), 1U);
        ASSERT_EQ(run.seen.times(EventKind::opening).size(), 1U);
        ASSERT_EQ(run.seen.all.size(), 2U);
        // sin(omega t) = 1 - excess; its slope there, sqrt(2 excess), divides rounding errors
        const double slope = std::sqrt(excess * (2.0 - excess));
        EXPECT_NEAR(omega * run.seen.times(EventKind::closing)[0], std::asin(1.0 - excess), 1e-14 / slope);
      }
}

TEST(EventImpact, PassingByAMillionthOfAMillionthIsNoImpact) {
  for (const AnyNormalLaw& law : kLaws)
    for (const double omega : {1.0, 2.0, 37.0, 1234.5})
      for (const double missing : {1e-12, 1e-11, 1e-10, 1e-8, 1e-5}) {
        const test::Outcome run = swingTowards(1.0 + missing, omega, law);
        ASSERT_EQ(run.report.status, RunStatus::complete);
        EXPECT_TRUE(run.seen.all.empty()) << "law " << law.index() << ", omega " << omega << ", " << missing;
      }
}

/// Dropped from rest, a ball falls for t0 = sqrt(2 h/g) and comes to rest at t0 (1 + e)/(1 - e).
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

}  // namespace
}  // namespace ricochet
