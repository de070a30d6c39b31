// Bodies on several rigid contacts with friction, whose states are found together.
//
// A ladder of length 2 l at the angle th from the floor, between a rough floor (mu_1) and a rough wall
// (mu_2), rests if
//
//     tan th >= (1 - mu_1 mu_2) / (2 mu_1)
//
// If both ends slide, N_1, N_2 and the accelerations follow from Newton's and Euler's equations. Source:
// statics of a rigid body, e.g. J.L. Meriam, L.G. Kraige, Engineering Mechanics: Statics, section 6/3.

#include "verification/support/models.hpp"
#include "verification/support/outcome.hpp"
#include "verification/support/recorder.hpp"
#include "verification/support/short_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

struct Ladder {
  double angle;            ///< angle from the floor [rad]
  double floor;            ///< mu_1
  double wall;             ///< mu_2
  double mass{20.0};       ///< [kg]
  double halfLength{2.0};  ///< [m]
  double push{0.0};        ///< rate of the force on the centre, away from the wall [N/s]

  static constexpr double kGravity = 9.81;
  double across() const { return halfLength * std::cos(angle); }
  double up() const { return halfLength * std::sin(angle); }
  double inertia() const { return mass * halfLength * halfLength / 3.0; }
  bool rests() const { return std::tan(angle) >= (1.0 - floor * wall) / (2.0 * floor); }

  /// Row that gives the displacement along (ax, ay) at (px, py) from q = (sqrt(m) x, sqrt(m) y, sqrt(J)
  /// rotation).
  Vector row(double ax, double ay, double px, double py) const {
    return Vector{{ax / std::sqrt(mass), ay / std::sqrt(mass), (ay * px - ax * py) / std::sqrt(inertia())}};
  }
  test::ModelParts parts() const {
    test::ModelParts parts;
    parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), false);
    parts.loads.push_back({Vector{{0.0, -std::sqrt(mass) * kGravity, 0.0}}, TimeFunction::constant(1.0)});
    const std::array times{0.0, 1.0}, forces{0.0, -push / std::sqrt(mass)};
    constexpr auto kOutside = TimeFunction::Outside::constant;
    parts.loads.push_back({Vector{{1.0, 0.0, 0.0}}, TimeFunction::table(times, forces, kOutside, kOutside)});
    Contact foot = test::contactOf(3, Plane{}, Rigid{.restitution = 0.0}, Coulomb{floor, floor});
    foot.rows.row(0) = row(0.0, 1.0, -across(), -up());
    foot.rows.row(1) = row(1.0, 0.0, -across(), -up());
    Contact top = test::contactOf(3, Plane{}, Rigid{.restitution = 0.0}, Coulomb{wall, wall});
    top.rows.row(0) = row(-1.0, 0.0, across(), up());
    top.rows.row(1) = row(0.0, 1.0, across(), up());
    parts.contacts = {foot, top};
    return parts;
  }

  /// Angular acceleration if both ends slide: unknowns x'', y'', rotation'', N_1, N_2.
  double slidingAcceleration() const {
    Matrix a = Matrix::Zero(5, 5);
    Vector b = Vector::Zero(5);
    a.row(0) << mass, 0.0, 0.0, -floor, 1.0;
    a.row(1) << 0.0, mass, 0.0, -1.0, -wall;
    a.row(2) << 0.0, 0.0, inertia(), across() - up() * floor, -across() * wall - up();
    a.row(3) << 0.0, 1.0, -across(), 0.0, 0.0;  // the foot stays on the floor
    a.row(4) << 1.0, 0.0, -up(), 0.0, 0.0;      // the top stays at the wall
    b[1] = -mass * kGravity;
    return a.partialPivLu().solve(b)[2];
  }
};

constexpr double kDegree = std::numbers::pi / 180.0;

TEST(EventCoupled, LaddersRestOrSlideAsStaticsSays) {
  constexpr double kEnd = 1e-3;
  int resting = 0;
  for (int degrees = 50; degrees <= 80; degrees += 3)
    for (const double floor : {0.25, 0.4, 0.6})
      for (const double wall : {0.1, 0.3, 0.6}) {
        const Ladder ladder{.angle = degrees * kDegree, .floor = floor, .wall = wall};
        SCOPED_TRACE(testing::Message() << degrees << " degrees, mu " << floor << " and " << wall);
        const test::Outcome run =
            test::runModel(ladder.parts().build(), kEventScheme, State(3), {.end = kEnd, .step = kEnd});
        ASSERT_EQ(run.report.status, RunStatus::complete);
        const double rate = run.state.v[2] / std::sqrt(ladder.inertia());
        resting += ladder.rests() ? 1 : 0;
        // The accelerations of the sliding ladder change by (rotation)^2, a fraction of 1e-10.
        const double expected = ladder.rests() ? 0.0 : ladder.slidingAcceleration() * kEnd;
        EXPECT_NEAR(rate, expected, 1e-13 + 1e-9 * std::abs(expected));
      }
  EXPECT_GT(resting, 20);
  EXPECT_LT(resting, 90);
}

/// A force away from the wall that grows reduces the reaction of the wall; with enough friction at the floor
/// the ladder does not move for any distribution of the load: the reactions of four constraints on three
/// degrees of freedom are not unique.
TEST(EventCoupled, APushedLadderStaysAtRest) {
  for (int degrees = 60; degrees <= 80; degrees += 2)
    for (const double push : {1.0, 10.0, 40.0}) {
      const Ladder ladder{.angle = degrees * kDegree, .floor = 0.6, .wall = 0.4, .push = push};
      SCOPED_TRACE(testing::Message() << degrees << " degrees, " << push << " N/s");
      const test::Outcome run =
          test::runModel(ladder.parts().build(), kEventScheme, State(3), {.end = 0.5, .step = 0.5});
      ASSERT_EQ(run.report.status, RunStatus::complete);
      EXPECT_LT(run.state.q.head(3).norm(), 1e-12);
      EXPECT_LT(run.state.v.head(3).norm(), 1e-12);
      EXPECT_LT(run.report.energyError, 1e-12);
    }
}

/// A box whose weight and growing load one inclined foot carries below its centre, at 15 degrees with enough
/// friction: N = W cos 15 and T = W sin 15. Three more contacts touch without a force. Their gaps drift by
/// rounding, which must not count as an impact.
TEST(EventCoupled, ContactsThatOnlyTouchAreNotStruck) {
  const Ladder box{.angle = 0.0, .floor = 0.0, .wall = 0.0, .mass = 20.0, .halfLength = std::sqrt(0.5)};
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(3), Matrix::Zero(3, 3), false);
  const double root = std::sqrt(box.mass);
  const std::array times{0.0, 0.102}, forces{0.0, -582.713964 / root};
  constexpr auto kOutside = TimeFunction::Outside::constant;
  parts.loads.push_back({Vector{{0.0, -root * Ladder::kGravity, 0.0}}, TimeFunction::constant(1.0)});
  parts.loads.push_back({Vector{{0.0, 1.0, 0.0}}, TimeFunction::table(times, forces, kOutside, kOutside)});
  const auto touch = [&](double degrees, double px, double py, double friction) {
    const double nx = std::cos(degrees * kDegree), ny = std::sin(degrees * kDegree);
    Contact contact = test::contactOf(3, Plane{}, Rigid{.restitution = 0.0}, Coulomb{friction, friction});
    contact.rows.row(0) = box.row(nx, ny, px, py);
    contact.rows.row(1) = box.row(-ny, nx, px, py);
    parts.contacts.push_back(contact);
  };
  touch(120.0, 0.5, -0.5, 0.0);
  touch(90.0, 0.5, 0.5, 0.4);
  touch(-90.0, -0.5, 0.5, 0.0);
  touch(105.0, 0.0, -0.5, 0.6);
  const test::Outcome run = test::runModel(parts.build(), kEventScheme, State(3), {.end = 0.3, .step = 0.3});
  ASSERT_EQ(run.report.status, RunStatus::complete);
  EXPECT_LT(run.state.q.head(3).norm(), 1e-12);
  EXPECT_LT(run.state.v.head(3).norm(), 1e-12);
  EXPECT_TRUE(run.seen.all.empty());
}

}  // namespace
}  // namespace ricochet
