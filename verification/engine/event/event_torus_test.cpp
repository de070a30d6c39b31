// The event scheme with tori: closed forms of straight flights, and positions without a normal.

#include "verification/support/short_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

constexpr double kRing = 0.1, kTube = 0.03;  // [m]

/// 1 kg that moves freely in space, beside an obstacle.
test::ModelParts pointAt(const AnyCurvedObstacle& obstacle, const AnyNormalLaw& law) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), true);
  parts.contacts.push_back(test::contactOf(3, Curved{obstacle}, law));
  parts.contacts.back().rows.setIdentity();
  return parts;
}

Torus torus(bool inside) { return {.ringRadius = kRing, .radius = kTube, .inside = inside}; }

TEST(EventTorus, MeetsATubeThatItGrazes) {
  for (const double depth : {1e-6, 1e-8, 1e-10}) {
    SCOPED_TRACE(depth);
    const double height = kTube - depth;
    const double chord = std::sqrt(depth * (2.0 * kTube - depth));  // half of it
    const test::ModelParts parts = pointAt(torus(false), Rigid{.restitution = 1.0});
    const test::Outcome across =
        test::runUntilEndTime(parts, test::stateOf({0.0, 0.0, height}, {1.0, 0.0, 0.0}), 0.3);
    ASSERT_EQ(across.seen.times(EventKind::closing).size(), 1U);
    EXPECT_NEAR(across.seen.times(EventKind::closing)[0], kRing - chord, 1e-15 * kTube / chord + 1e-15);
    // Along the top of the tube the gap is of the fourth order.
    const test::Outcome along =
        test::runUntilEndTime(parts, test::stateOf({kRing, -0.05, height}, {0.0, 1.0, 0.0}), 0.1);
    const double away = std::sqrt(chord * (2.0 * kRing + chord));
    ASSERT_EQ(along.seen.times(EventKind::closing).size(), 1U);
    const double slope = chord * away / (kTube * (kRing + chord));
    EXPECT_NEAR(along.seen.times(EventKind::closing)[0], 0.05 - away, 1e-15 / slope);
  }
}

TEST(EventTorus, PassesATubeCloseBy) {
  for (const double distance : {1e-6, 1e-8, 1e-10}) {
    const double height = kTube + distance;
    const test::ModelParts parts = pointAt(torus(false), Rigid{.restitution = 1.0});
    for (const State& start : {test::stateOf({0.0, 0.0, height}, {1.0, 0.0, 0.0}),
                               test::stateOf({kRing, -0.05, height}, {0.0, 1.0, 0.0})}) {
      const test::Outcome run = test::runUntilEndTime(parts, start, 0.3);
      EXPECT_EQ(run.report.status, RunStatus::complete);
      EXPECT_EQ(run.report.events, 0) << distance;
    }
  }
}

/// In the hole the path crosses the axis, in the tube its centre line: the gap has a kink there, but its
/// guard does not.
TEST(EventTorus, GoesToAndFroThroughAxisAndCentreLine) {
  const auto expectImpacts = [](bool inside, double from, double to, double start) {
    const test::Outcome run = test::runUntilEndTime(pointAt(torus(inside), Rigid{.restitution = 1.0}),
                                                    test::stateOf({start, 0.0, 0.0}, {1.0, 0.0, 0.0}),
                                                    to - start + 9.5 * (to - from));
    ASSERT_EQ(run.report.status, RunStatus::complete);
    const std::vector<double> times = run.seen.times(EventKind::closing);
    ASSERT_EQ(times.size(), 10U);
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(times[i], to - start + static_cast<double>(i) * (to - from), 1e-13);
  };
  const double hole = kRing - kTube;
  expectImpacts(false, -hole, hole, -hole);
  expectImpacts(false, -hole, hole, 0.0);
  expectImpacts(true, hole, kRing + kTube, kRing);
  expectImpacts(true, hole, kRing + kTube, hole);
}

/// A body moves through the wall, s = v/w sin(w t), to a position where the obstacle has no normal: the run
/// ends there.
TEST(EventTorus, EndsWhereAPressedPointHasNoNormal) {
  constexpr double kSpeed = 3.0, kOmega = 10.0;
  const LinearPenalty soft{.stiffness = kOmega * kOmega};
  const auto expectEnd = [&](const AnyCurvedObstacle& obstacle, const State& start, double flight,
                             double depth) {
    const test::Outcome run = test::runUntilEndTime(pointAt(obstacle, soft), start, 1.0);
    EXPECT_EQ(run.report.status, RunStatus::stalled);
    EXPECT_TRUE(run.report.withoutNormal);
    EXPECT_EQ(run.report.contact, 0);
    EXPECT_NEAR(run.report.time, flight / kSpeed + std::asin(depth * kOmega / kSpeed) / kOmega, 1e-9);
    EXPECT_LT(run.report.energyError, 1e-12);
  };
  const double wall = kRing - kTube;
  expectEnd(torus(true), test::stateOf({kRing, 0.0, 0.0}, {-kSpeed, 0.0, 0.0}), kTube, wall);
  expectEnd(torus(false), test::stateOf({0.0, kRing, 0.05}, {0.0, 0.0, -kSpeed}), 0.05 - kTube, kTube);
  expectEnd(Sphere{.radius = kTube}, test::stateOf({0.0, -0.05, 0.0}, {0.0, kSpeed, 0.0}), 0.05 - kTube,
            kTube);
  expectEnd(Disc{.radius = kTube}, test::stateOf({0.05, 0.0, 0.0}, {-kSpeed, 0.0, 0.0}), 0.05 - kTube, kTube);
}

/// Near such a position the force has a direction: the path bends round the centre, in agreement with another
/// scheme.
TEST(EventTorus, GoesOnBesideThePlaceWithoutNormal) {
  const LinearPenalty soft{.stiffness = 100.0};
  const State start = test::stateOf({1e-4, -0.05, 0.0}, {0.0, 3.0, 0.0});
  const test::Outcome run = test::runUntilEndTime(pointAt(Sphere{.radius = kTube}, soft), start, 0.03);
  const test::Outcome steps =
      test::runUntilEndTime(pointAt(Sphere{.radius = kTube}, soft), start, 0.03, {}, "rk54");
  ASSERT_EQ(run.report.status, RunStatus::complete);
  ASSERT_EQ(steps.report.status, RunStatus::complete);
  EXPECT_LT((run.state.q - steps.state.q).norm(), 1e-9);
  EXPECT_LT(run.report.energyError, 1e-12);
}

}  // namespace
}  // namespace ricochet
