// Friction with two tangents: a motion that stays on a line of the plane equals the motion with a single
// tangent.

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ricochet {
namespace {

constexpr long long kLong = 20'000;  // steps

test::Outcome planeRun(const test::ModelParts& parts, const State& initial, double end) {
  test::Recorder recorder;
  recorder.stopAfter = kLong;
  return test::runModel(parts.build(), kEventScheme, initial,
                        {.end = end, .step = 1.0, .archiveEvery = 1 << 30}, recorder);
}

void expectSameEvents(const std::vector<Event>& found, const std::vector<Event>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].kind, expected[i].kind) << i;
    EXPECT_NEAR(found[i].time, expected[i].time, 1e-9 * expected[i].time) << i;
  }
}

/// 1 kg on springs of 100 N/m, equal in all directions of the plane, pressed by 5 N.
test::ModelParts roundOscillator(Eigen::Index tangents, const AnyFrictionLaw& law) {
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Constant(tangents, 100.0), Matrix::Zero(tangents, tangents), true);
  Contact contact = test::contactOf(tangents, NoObstacle{}, ImposedForce{}, law);
  contact.imposedForce = TimeFunction::constant(5.0);
  contact.rows.block(1, 0, tangents, tangents).setIdentity();
  parts.contacts.push_back(contact);
  return parts;
}

/// A ball of 1 kg, 0.1 m above a plane; its modes are its coordinates.
test::ModelParts ball(Eigen::Index tangents, const AnyFrictionLaw& law) {
  const Eigen::Index size = tangents + 1;
  test::ModelParts parts;
  parts.linear = LinearSystem(Vector::Zero(size), Matrix::Zero(size, size), true);
  Contact contact = test::contactOf(size, Plane{}, LinearPenalty{.stiffness = 1e4}, law);
  contact.offset[0] = 0.1;
  contact.rows.block(0, 0, size, size).setIdentity();
  parts.contacts.push_back(contact);
  return parts;
}

using Laws = std::vector<AnyFrictionLaw>;
const Laws kRegularised{RegularisedCoulomb{.muStatic = 0.2, .muDynamic = 0.2, .stiffness = 5e3},
                        RegularisedCoulomb{.muStatic = 0.3, .muDynamic = 0.2, .stiffness = 5e3}};
const Laws kSetValued{Coulomb{0.2, 0.2}, Coulomb{0.3, 0.2}};

/// With an initial velocity of 1 m/s the motion reverses four times, each time where the spring force exceeds
/// the cone.
void turnBackOnALine(const Laws& laws) {
  for (const AnyFrictionLaw& law : laws)
    for (const double angle : {0.0, 0.3, 2.5}) {
      SCOPED_TRACE(testing::Message() << "law " << law.index() << " at " << angle);
      State onLine(1), inPlane(2);
      onLine.v[0] = 1.0;
      inPlane.v[0] = std::cos(angle);
      inPlane.v[1] = std::sin(angle);
      const test::Outcome line = planeRun(roundOscillator(1, law), onLine, 1.3);
      const test::Outcome plane = planeRun(roundOscillator(2, law), inPlane, 1.3);
      ASSERT_EQ(line.report.status, RunStatus::complete);
      ASSERT_EQ(plane.report.status, RunStatus::complete);
      EXPECT_GE(line.report.events, 4);
      expectSameEvents(plane.seen.all, line.seen.all);
      EXPECT_NEAR(plane.state.q[0], std::cos(angle) * line.state.q[0], 1e-9);
      EXPECT_NEAR(plane.state.q[1], std::sin(angle) * line.state.q[0], 1e-9);
    }
}

/// In a nearly straight motion the slip direction turns in a time proportional to the smallest speed.
void turnBackNearlyOnALine(const Laws& laws) {
  for (const AnyFrictionLaw& law : laws)
    for (const double aside : {1e-3, 1e-6, 1e-9}) {
      test::ModelParts parts = roundOscillator(2, law);
      parts.linear.omegaSquared[1] = 150.0;
      State initial(2);
      initial.v[0] = 1.0;
      initial.v[1] = aside;
      const test::Outcome run = planeRun(parts, initial, 1.3);
      SCOPED_TRACE(testing::Message() << "law " << law.index() << " aside " << aside);
      ASSERT_EQ(run.report.status, RunStatus::complete) << run.report.time;
      EXPECT_LT(run.report.steps, 5000);
      EXPECT_LT(run.report.energyError, 1e-10);
    }
}

/// At a tangential speed below the cone the ball sticks while N increases; at a higher speed it slips
/// throughout and loses 2 mu_d m v_n.
void closeObliquely(const Laws& laws) {
  for (const AnyFrictionLaw& law : laws)
    for (const double speed : {0.05, 0.1, 0.5, 2.0})
      for (const double angle : {0.0, 0.3, 2.5}) {
        SCOPED_TRACE(testing::Message() << "law " << law.index() << " at " << angle << ", " << speed);
        State onLine(2), inPlane(3);
        onLine.v[0] = inPlane.v[0] = -1.0;
        onLine.v[1] = speed;
        inPlane.v[1] = speed * std::cos(angle);
        inPlane.v[2] = speed * std::sin(angle);
        const test::Outcome line = planeRun(ball(1, law), onLine, 0.2);
        const test::Outcome plane = planeRun(ball(2, law), inPlane, 0.2);
        ASSERT_EQ(line.report.status, RunStatus::complete);
        ASSERT_EQ(plane.report.status, RunStatus::complete);
        expectSameEvents(plane.seen.all, line.seen.all);
        EXPECT_NEAR(plane.state.v[1], std::cos(angle) * line.state.v[1], 1e-9);
        EXPECT_NEAR(plane.state.v[2], std::sin(angle) * line.state.v[1], 1e-9);
        if (speed == 2.0 && std::holds_alternative<Coulomb>(law)) {
          EXPECT_NEAR(line.state.v[1], speed - 0.4, 1e-12);
        }
      }
}

TEST(EventPlane, TurningBackOnALineOfThePlane) { turnBackOnALine(kRegularised); }
TEST(EventPlane, TurningBackOnALineOfThePlaneWithTrueStick) { turnBackOnALine(kSetValued); }
TEST(EventPlane, TurningBackNearlyOnALine) { turnBackNearlyOnALine(kRegularised); }
TEST(EventPlane, TurningBackNearlyOnALineWithTrueStick) { turnBackNearlyOnALine(kSetValued); }
TEST(EventPlane, ObliqueImpactsOnALineOfThePlane) { closeObliquely(kRegularised); }
TEST(EventPlane, ObliqueImpactsOnALineOfThePlaneWithTrueStick) { closeObliquely(kSetValued); }

}  // namespace
}  // namespace ricochet
