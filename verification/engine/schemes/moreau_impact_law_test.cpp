// Impacts of several rigid contacts by each impact law in time stepping: the same impulses as in the event
// scheme.

#include "verification/support/models.hpp"
#include "verification/support/short_runs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string_view>

namespace ricochet {
namespace {

constexpr std::array kImpactLaws{ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::sequential};

test::Outcome runSchemeWithLaw(ImpactLaw law, std::string_view scheme, const test::ModelParts& parts,
                               const State& initial, double end, double step) {
  TransientOptions options{.end = end, .step = step};
  options.scheme.impactLaw = law;
  return test::runModel(parts.build(), scheme, initial, options);
}

/// Three balls of 1 kg, of which the last two touch; the first at 1 m/s strikes from a distance of 0.01 m
/// within a step, or at once from contact. Compression by P = (2, 1)/3; sequential impacts with e = (0, 1)
/// are three impacts of 1/2, 1/2 and 1/4 N s.
TEST(MoreauImpactLaw, NewtonsCradle) {
  struct Case {
    ImpactLaw law;
    std::array<double, 2> restitutions;
    Vector velocities;
  };
  const std::array cases{Case{ImpactLaw::newton, {1.0, 1.0}, Vector{{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}}},
                         Case{ImpactLaw::poisson, {1.0, 1.0}, Vector{{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}}},
                         Case{ImpactLaw::poisson, {0.0, 1.0}, Vector{{1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0}}},
                         Case{ImpactLaw::sequential, {1.0, 1.0}, Vector{{0.0, 0.0, 1.0}}},
                         Case{ImpactLaw::sequential, {0.0, 1.0}, Vector{{0.25, 0.25, 0.5}}}};
  for (const Case& each : cases)
    for (const double away : {0.0, 0.01}) {
      SCOPED_TRACE(testing::Message() << nameOf(each.law) << " e = " << each.restitutions[0] << ", " << away);
      test::ModelParts parts;
      parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true);
      for (Eigen::Index i = 0; i < 2; ++i) {
        Contact contact =
            test::contactOf(3, Plane{}, Rigid{.restitution = each.restitutions[static_cast<std::size_t>(i)]});
        contact.rows(0, i) = -1.0;
        contact.rows(0, i + 1) = 1.0;
        parts.contacts.push_back(contact);
      }
      const test::Outcome run = runSchemeWithLaw(
          each.law, "moreau", parts, test::stateOf({-away, 0.0, 0.0}, {1.0, 0.0, 0.0}), away + 2e-3, 1e-3);
      ASSERT_EQ(run.report.status, RunStatus::complete);
      EXPECT_LT((run.state.v.head(3) - each.velocities).norm(), 1e-13);
      EXPECT_LT(run.report.energyError, 1e-13);
      EXPECT_EQ(run.report.impacts.together, 1);
      EXPECT_EQ(run.report.impacts.notUnique, 0);
    }
}

/// A ball on one contact, or on two contacts at the same position, whose shares of the impulse are not
/// unique. At rest the ball is pressed in every step, which is no impact.
TEST(MoreauImpactLaw, ImpactsOfSeveralContactsAreCounted) {
  const auto countsOf = [](int contacts, double height, ImpactLaw law) {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(1), Matrix::Zero(1, 1), true);
    parts.loads.push_back({Vector{{-9.81}}, TimeFunction::constant(1.0)});
    for (int i = 0; i < contacts; ++i) {
      Contact contact = test::contactOf(1, Plane{}, Rigid{.restitution = 0.0});
      contact.rows(0, 0) = 1.0;
      parts.contacts.push_back(contact);
    }
    const test::Outcome run =
        runSchemeWithLaw(law, "moreau", parts, test::stateOf({height}, {0.0}), 0.1, 1e-3);
    EXPECT_EQ(run.report.status, RunStatus::complete);
    return std::array{run.report.impacts.together, run.report.impacts.notUnique};
  };
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    SCOPED_TRACE(nameOf(law));
    EXPECT_EQ(countsOf(1, 0.01, law), (std::array{0LL, 0LL}));
    EXPECT_EQ(countsOf(2, 0.0, law), (std::array{0LL, 0LL}));
    EXPECT_EQ(countsOf(2, 0.01, law), (std::array{1LL, 1LL}));
  }
}

/// A planar body in coordinates of mass 1 (x, y, radius of gyration times rotation), with contacts at given
/// points.
struct Body {
  static constexpr double kGyration = 0.4;  // [m]
  test::ModelParts parts;

  Body() { parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true); }
  void touch(double x, double y, double normal, double gap, double restitution, double friction) {
    Contact contact =
        test::contactOf(3, Plane{}, Rigid{.restitution = restitution}, Coulomb{friction, friction});
    contact.offset[0] = gap;
    const double nx = std::cos(normal), ny = std::sin(normal);
    contact.rows.row(0) << nx, ny, (x * ny - y * nx) / kGyration;
    contact.rows.row(1) << -ny, nx, (x * nx + y * ny) / kGyration;
    parts.contacts.push_back(contact);
  }
};

/// Bodies that strike two to four walls at once, with friction: impulses of the event scheme, whose laws
/// closed forms verify.
TEST(MoreauImpactLaw, AnImpactIsThatOfTheEventScheme) {
  int count = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution(low, high)(random);
    };
    Body body;
    for (unsigned i = 0; i < 2 + seed % 3; ++i) {
      const double x = between(-0.6, 0.6), y = between(-0.6, 0.6);
      const double mu = std::array{0.0, 0.2, 0.5}[random() % 3];
      body.touch(x, y, between(0.25, 0.75) * std::numbers::pi, 0.0, between(0.0, 1.0), mu);
    }
    const State initial =
        test::stateOf({0.0, 0.0, 0.0}, {between(-1.0, 1.0), between(-2.0, -1.0), between(-0.5, 0.5)});
    for (const ImpactLaw law : kImpactLaws) {
      SCOPED_TRACE(testing::Message() << nameOf(law) << ", body " << seed);
      constexpr double kEnd = 1e-9;
      const test::Outcome exact = runSchemeWithLaw(law, kEventScheme, body.parts, initial, kEnd, kEnd);
      const bool bounces = (exact.state.v - initial.v).norm() > 1e-6;
      if (exact.report.status != RunStatus::complete || !bounces) continue;
      const test::Outcome run = runSchemeWithLaw(law, "moreau", body.parts, initial, kEnd, kEnd);
      ASSERT_EQ(run.report.status, RunStatus::complete);
      EXPECT_LT((run.state.v - exact.state.v).norm(), 1e-12);
      EXPECT_LT(run.report.energyError, 1e-13);
      ++count;
    }
  }
  EXPECT_GT(count, 150);
}

/// A box that slides on two feet against a wall with friction: the motion converges to that of the event
/// scheme with the order of the step.
TEST(MoreauImpactLaw, ARunNearsThatOfTheEventScheme) {
  Body body;
  for (const double x : {-0.5, 0.5}) body.touch(x, -0.3, 0.5 * std::numbers::pi, 0.0, 0.5, 0.1);
  body.touch(0.5, 0.25, std::numbers::pi, 0.02, 0.6, 0.4);
  body.parts.loads.push_back({Vector{{0.0, -9.81, 0.0}}, TimeFunction::constant(1.0)});
  const State initial = test::stateOf({0.0, 0.0, 0.0}, {0.3, 0.0, 0.0});
  constexpr double kEnd = 0.25;
  for (const ImpactLaw law : kImpactLaws) {
    SCOPED_TRACE(nameOf(law));
    const test::Outcome exact = runSchemeWithLaw(law, kEventScheme, body.parts, initial, kEnd, kEnd);
    ASSERT_EQ(exact.report.status, RunStatus::complete);
    ASSERT_FALSE(exact.seen.times(EventKind::closing).empty());
    const auto error = [&](double h) {
      const test::Outcome run = runSchemeWithLaw(law, "moreau", body.parts, initial, kEnd, h);
      EXPECT_EQ(run.report.status, RunStatus::complete);
      EXPECT_LT(run.report.energyError, 1e-11);
      return (run.state.q - exact.state.q).norm();
    };
    EXPECT_LT(error(1e-4), 3e-5);
    EXPECT_LT(error(2e-5), 5e-6);
  }
}

}  // namespace
}  // namespace ricochet
