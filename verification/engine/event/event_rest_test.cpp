// Contacts at rest without forces when loads begin: the accelerations alone decide between stick, slip and
// opening. With free accelerations a and accelerations per force G along normal and tangent,
//
//     a_n + G_nn N + G_nt T >= 0 ,  N >= 0 ,   |T| <= mu N
//
// where a stick may need N < 0 although a slip has N > 0.

#include "engine/study/run_transient.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/short_runs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

using Pair = std::array<double, 2>;

/// Two rows of a body without springs that touches planes at rest, with G = {first, both, second}, and a load
/// that gives these accelerations along them.
struct Corner {
  std::array<double, 3> compliance;
  Pair acceleration;

  Vector row(int i) const {
    const auto [first, both, second] = compliance;
    const double across = both / std::sqrt(first);
    return i == 0 ? Vector{{std::sqrt(first), 0.0}} : Vector{{across, std::sqrt(second - across * across)}};
  }
  test::ModelParts parts(const TimeFunction& course) const {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(2), Matrix::Zero(2, 2), false);
    Vector load(2);
    load[0] = acceleration[0] / row(0)[0];
    load[1] = (acceleration[1] - row(1)[0] * load[0]) / row(1)[1];
    parts.loads.push_back({load, course});
    return parts;
  }
};

TransientOptions inOneStep(double end) { return {.end = end, .step = end, .archiveEvery = 1 << 30}; }

/// A stick would need N = -322 N and T = -286 N; in slip N is 22.2 N.
const Corner kSkew{{1.173, -1.486, 1.901}, {-42.666, 59.360}};
constexpr double kMu = 0.503;

Contact rubbing(const AnyNormalLaw& law) {
  Contact contact = test::contactOf(2, Plane{}, law, Coulomb{kMu, kMu});
  contact.rows.row(0) = kSkew.row(0);
  contact.rows.row(1) = kSkew.row(1);
  return contact;
}

TEST(EventRest, ARigidContactSlipsWhoseStickWouldPull) {
  const double force = 42.666 / (1.173 + kMu * 1.486);  // from a_n + (G_nn - mu G_nt) N = 0
  const double acceleration = 59.360 - (1.486 + kMu * 1.901) * force;
  ASSERT_GT(acceleration, 0.0);
  constexpr double kEnd = 0.3, kJump = 0.1;
  const std::array times{0.0, kJump, kJump, 1.0};
  const std::array steps{0.0, 0.0, 1.0, 1.0};
  constexpr auto kOutside = TimeFunction::Outside::constant;
  const std::array courses{TimeFunction::constant(1.0), TimeFunction::table(times, steps, kOutside, kOutside),
                           TimeFunction::table(Pair{0.0, 1.0}, Pair{0.0, 1.0}, kOutside, kOutside)};
  const std::array impulses{kEnd, kEnd - kJump, 0.5 * kEnd * kEnd};
  for (std::size_t i = 0; i < courses.size(); ++i) {
    SCOPED_TRACE(i);
    test::ModelParts parts = kSkew.parts(courses[i]);
    parts.contacts.push_back(rubbing(Rigid{.restitution = 0.0}));
    const test::Outcome run = test::runModel(parts.build(), kEventScheme, State(2), inOneStep(kEnd));
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const Vector v = run.state.v.head(2);
    EXPECT_NEAR(kSkew.row(1).dot(v), acceleration * impulses[i], 1e-12);
    EXPECT_NEAR(kSkew.row(0).dot(v), 0.0, 1e-13);
    EXPECT_LT(run.report.energyError, 1e-13);
  }
}

/// For all laws, the effect of N along the tangent is proportional to its effect along the normal.
TEST(EventRest, AnElasticContactSlipsWhoseStickWouldPull) {
  const double ratio = -(1.486 + kMu * 1.901) / (1.173 + kMu * 1.486);
  constexpr double kEnd = 0.01;
  const auto runWith = [&](const AnyNormalLaw& law, double tolerance) {
    test::ModelParts parts = Corner{kSkew.compliance, {-42.666, 150.0}}.parts(TimeFunction::constant(1.0));
    parts.contacts.push_back(rubbing(law));
    TransientOptions options = inOneStep(kEnd);
    options.scheme.eventRelativeTolerance = tolerance;
    return test::runModel(parts.build(), kEventScheme, State(2), options);
  };
  for (const AnyNormalLaw& law :
       {AnyNormalLaw{LinearPenalty{.stiffness = 1e5}}, AnyNormalLaw{Hertz{.stiffness = 1e7}},
        AnyNormalLaw{Hertz{.stiffness = 1e5, .exponent = 1.2}},
        AnyNormalLaw{HuntCrossley{.stiffness = 1e7, .damping = 0.3}}}) {
    SCOPED_TRACE(law.index());
    const test::Outcome run = runWith(law, 1e-12);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const Vector v = run.state.v.head(2);
    const double normal = kSkew.row(0).dot(v);
    const double tangential = 150.0 * kEnd + ratio * (normal + 42.666 * kEnd);
    EXPECT_GT(tangential, 0.1);
    EXPECT_NEAR(kSkew.row(1).dot(v), tangential, 1e-11);
    EXPECT_LT(run.report.energyError, 1e-11);
    EXPECT_LT((runWith(law, 1e-9).state.v.head(2) - v).norm(), 1e-8);
  }
}

/// The first of two planes holds the body and moves it away from the second, although both together would
/// need negative forces.
TEST(EventRest, OnlyTheContactThatPressesStays) {
  const Corner corner{{1.0, -0.9, 1.2}, {-1.0, 2.0}};
  test::ModelParts parts = corner.parts(TimeFunction::constant(1.0));
  for (int i = 0; i < 2; ++i) {
    parts.contacts.push_back(test::contactOf(2, Plane{}, Rigid{.restitution = 0.0}));
    parts.contacts.back().rows.row(0) = corner.row(i);
  }
  const test::Outcome run = test::runModel(parts.build(), kEventScheme, State(2), inOneStep(0.5));
  ASSERT_EQ(run.report.status, RunStatus::complete);
  const Vector v = run.state.v.head(2);
  EXPECT_NEAR(corner.row(0).dot(v), 0.0, 1e-14);
  EXPECT_NEAR(corner.row(1).dot(v), 0.5 * (2.0 - 0.9), 1e-14);
}

/// A load that starts as t^n, from rest: the first coefficients of the motion are zero.
TEST(EventRest, LoadsMayStartWithAnyPower) {
  for (const int power : {3, 4, 5, 7, 9}) {
    SCOPED_TRACE(power);
    const double factor = (power + 1) * (power + 2);
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(1), Matrix::Zero(1, 1), false);
    parts.loads.push_back({Vector::Ones(1), test::formula(fmt::format("t^{}", power))});
    Contact contact = test::contactOf(1, Plane{}, Hertz{.stiffness = 1e3});
    contact.rows(0, 0) = -1.0;
    contact.offset[0] = 0.5 / factor;
    parts.contacts.push_back(contact);
    const test::Outcome before = test::runModel(parts.build(), kEventScheme, State(1), inOneStep(0.8));
    ASSERT_EQ(before.report.status, RunStatus::complete);
    EXPECT_NEAR(before.state.q[0], std::pow(0.8, power + 2) / factor, 1e-13);
    const test::Outcome after = test::runModel(parts.build(), kEventScheme, State(1), inOneStep(1.5));
    ASSERT_EQ(after.report.status, RunStatus::complete);
    ASSERT_GE(after.seen.times(EventKind::closing).size(), 1U);
    EXPECT_NEAR(after.seen.times(EventKind::closing)[0], std::pow(0.5, 1.0 / (power + 2)), 1e-10);
    EXPECT_LT(after.report.energyError, 1e-8);
  }
}

/// The same load on a contact: the work of t^n along the motion equals the energy of the Hertz spring and the
/// mass.
TEST(EventRest, LoadsOnWhatTouchesMayStartWithAnyPower) {
  for (const int power : {1, 3, 4, 5, 7}) {
    SCOPED_TRACE(power);
    const auto runWith = [&](double tolerance) {
      test::ModelParts parts;
      parts.linear = LinearSystem(Vector::Zero(1), Matrix::Zero(1, 1), false);
      parts.loads.push_back({Vector::Ones(1), test::formula(fmt::format("t^{}", power))});
      parts.contacts.push_back(test::contactOf(1, Plane{}, Hertz{.stiffness = 1e5}));
      parts.contacts.back().rows(0, 0) = -1.0;
      TransientOptions options = inOneStep(0.5);
      options.scheme.eventRelativeTolerance = tolerance;
      return test::runModel(parts.build(), kEventScheme, State(1), options);
    };
    const test::Outcome run = runWith(1e-12);
    ASSERT_EQ(run.report.status, RunStatus::complete);
    // The force follows the load: N = 1e5 d^1.5 oscillates about t^n.
    EXPECT_GT(run.state.q[0], 0.0);
    EXPECT_LT(run.state.q[0], 2.0 * std::pow(std::pow(0.5, power) / 1e5, 2.0 / 3.0));
    EXPECT_LT(run.report.energyError, 1e-10);
    EXPECT_LT((runWith(1e-9).state.v - run.state.v).norm(), 1e-6 * run.state.v.norm());
  }
}

}  // namespace
}  // namespace ricochet
