// Contacts whose tangent plane turns, or whose surface moves: screening, tangents, trials.

#include "engine/contact/contact_tangent.hpp"
#include "engine/contact/followed.hpp"
#include "engine/numerics/flush_to_zero.hpp"
#include "verification/support/models.hpp"
#include "verification/support/woken_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace ricochet {
namespace {

/// The tube of the models in circular holes, as in the reference.
test::ModelParts tubeInHoles(int contacts,
                             const AnyFrictionLaw& friction = RegularisedCoulomb{0.2, 0.2, 1e5, 0.0}) {
  test::ModelParts parts =
      test::tube({.modes = 12, .stations = test::positionsOfTubeSlots(contacts), .loadsTo = 0.1});
  for (Contact& contact : parts.contacts) {
    contact.obstacle = Curved{Circle{.clearance = 5e-4}};
    contact.rows.row(1).swap(contact.rows.row(2));  // both displacements normal to the axis
    contact.friction = friction;
  }
  return parts;
}

TEST(FollowedContact, OnesThatSleepChangeNothing) {
  const FlushToZero flush;
  for (const int contacts : {4, 11}) {
    const ModalModel model = tubeInHoles(contacts).build();
    test::compareWithUnscreenedContacts<KickDrift>(model, 2e-5, 3000);
    test::compareWithUnscreenedContacts<CentralDifference>(model, 2e-5, 3000);
    test::compareWithUnscreenedContacts<Devogelaere>(model, 2e-5, 3000);
  }
}

TEST(FollowedContact, RunsOfASlotAreThoseOfItsPlanes) {
  // A planar obstacle at rest uses the functions for moving surfaces when its spin is zero: the motion is the
  // same within the rounding of a product with 1.
  const FlushToZero flush;
  test::ModelParts parts =
      test::tube({.modes = 12, .stations = test::positionsOfTubeSlots(4), .loadsTo = 0.1});
  const ModalModel plain = parts.build();
  for (Contact& contact : parts.contacts) contact.drift.push_back({});
  const ModalModel followed = parts.build();
  test::Stepper<KickDrift> a(plain, 2e-5, State(12));
  test::Stepper<KickDrift> b(followed, 2e-5, State(12));
  double largest = 0.0;
  for (int n = 0; n < 1500; ++n) {
    a.step();
    b.step();
    largest = std::max(largest, a.state().q.norm());
    ASSERT_LE((a.state().q - b.state().q).norm(), 1e-11 * largest) << "step " << n;
  }
  int impacts = 0;
  for (const ContactTotals& totals : b.equation().contacts().runTotals()) impacts += totals.impacts;
  EXPECT_GT(impacts, 2);
}

TEST(FollowedContact, TrialsLeaveNoTrace) {
  const FlushToZero flush;
  const ModalModel model = tubeInHoles(4).build();
  test::Stepper<KickDrift> calm(model, 2e-5, State(12));
  test::Stepper<KickDrift> tried(model, 2e-5, State(12));
  std::mt19937 random(9);
  std::uniform_real_distribution<double> by(-1e-3, 1e-3);
  for (int n = 0; n < 2000; ++n) {
    for (int k = 0; k < 3; ++k) {
      Vector q = tried.state().q, v = tried.state().v;
      for (Eigen::Index i = 0; i < 12; ++i) q[i] += by(random), v[i] += 100.0 * by(random);
      tried.equation().contacts().evaluate(tried.state().time + 1e-5,
                                           Motion{q.data(), v.data(), 0.0, v.data()});
    }
    calm.step();
    tried.step();
    ASSERT_EQ(calm.state().q, tried.state().q) << "step " << n;
  }
}

/// A mass that can move along all axes of a contact.
test::ModelParts freeMass(const Contact& like) {
  test::ModelParts parts = test::oscillator({.mass = 1.0});
  parts.linear = LinearSystem(Vector::Zero(4), Matrix::Zero(4, 4), true);
  Contact contact = like;
  contact.rows = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, 4);
  for (int axis = 0; axis < 3; ++axis) contact.rows(axis, axis) = 1.0;
  contact.rollRow = Eigen::RowVectorXd::Zero(4);
  contact.rollRow[3] = 0.01;
  parts.contacts = {contact};
  return parts;
}

/// Force of a trial along the three axes and the rotation.
Vector forceAt(ContactRun& run, double t, const Vector& q, const Vector& v) {
  run.evaluate(t, Motion{q.data(), v.data(), 0.0, v.data()});
  const FollowedState& state = run.trialFollowedState(0);
  Vector force = Vector::Zero(4);
  if (run.trialState(0).isClosed()) force << state.push[0], state.push[1], state.push[2], state.rollForce;
  return force;
}

TEST(FollowedContact, TangentIsTheSlopeOfTheForce) {
  // Central differences over 1e-8 m and 1e-5 m/s from a state in stick and from a state in slip; truncation
  // by curvature, 1e-8/r, and rounding, 1e-13 N/1e-8 m, are below 1e-5 of a stiffness of 1e5 N/m.
  const std::vector<AnyObstacle> shapes{Curved{Circle{.clearance = 0.01}}, Curved{Disc{.radius = 0.01}},
                                        Curved{Sphere{.radius = 0.0105}}, Plane{}};
  for (const AnyObstacle& shape : shapes)
    for (const AnyNormalLaw& law :
         {AnyNormalLaw(LinearPenalty{.stiffness = 1e5, .damping = 3.0}),
          AnyNormalLaw(HuntCrossley{.stiffness = 1e7, .exponent = 1.5, .damping = 0.2})})
      for (const double way : {1e-6, 2e-4}) {
        Contact like{
            .obstacle = shape, .normal = law, .friction = RegularisedCoulomb{0.3, 0.2, 2e4, 1.0}, .rows = {}};
        const bool inside = obstacleKeyword(shape) == "circle";
        const double r = inside ? 0.0101 : 0.0099;
        const bool plane = obstacleKeyword(shape) == "plane";
        like.tangentScale = {1.0, 0.5};
        test::ModelParts parts = freeMass(like);
        if (obstacleKeyword(shape) == "sphere")
          parts.contacts[0].rollRow.resize(0);  // without an axis of rolling
        const ModalModel model = parts.build();
        ContactRun run(model.contacts);
        Vector q = Vector::Zero(paddedSize(4)), v = Vector::Zero(paddedSize(4));
        q.head(3) = plane ? Vec3(-1e-4, 0.0, 0.0) : Vec3(r * 0.8, r * 0.6, 0.0);
        run.start(0.0, Motion{q.data(), v.data(), 0.0, v.data()});
        ASSERT_TRUE(run.state(0).isClosed()) << obstacleKeyword(shape);
        v.head(4) << 0.002, -0.01, 0.02, 0.3;
        q.head(4) += way / 0.01 * v.head(4);
        const double t = 1e-3;
        const Vector force = forceAt(run, t, q, v);
        LocalMotion motion;
        for (std::size_t i = 0; i < static_cast<std::size_t>(model.contacts.axes(0)); ++i) {
          const double scale = i == 3 ? 0.01 : 1.0;
          motion.position[i] = scale * q[static_cast<Eigen::Index>(i)];
          motion.rate[i] = scale * v[static_cast<Eigen::Index>(i)];
        }
        const ContactTangent tangent = tangentMatrixOfFollowedContact(
            model.contacts.contact(0), run.state(0), run.followedState(0), 0.0, motion, {t, t});
        const double largest = force.norm();
        const Eigen::Index axes = model.contacts.axes(0);
        for (Eigen::Index i = 0; i < axes; ++i) {
          EXPECT_NEAR(tangent.force[static_cast<std::size_t>(i)], force[i], 1e-12 * largest);
          const double scale = i == 3 ? 0.01 : 1.0;
          const double dq = 1e-8, dv = 1e-5;
          Vector there = q, back = q;
          there[i] += dq, back[i] -= dq;
          const Vector byQ = (forceAt(run, t, there, v) - forceAt(run, t, back, v)) / (2.0 * dq * scale);
          there = v, back = v;
          there[i] += dv, back[i] -= dv;
          const Vector byV = (forceAt(run, t, q, there) - forceAt(run, t, q, back)) / (2.0 * dv * scale);
          for (Eigen::Index j = 0; j < axes; ++j) {
            const auto a = static_cast<std::size_t>(j), b = static_cast<std::size_t>(i);
            EXPECT_NEAR(tangent.byPosition[a][b], byQ[j], 3.0) << obstacleKeyword(shape) << " " << j << i;
            EXPECT_NEAR(tangent.byRate[a][b], byV[j], 1e-4) << obstacleKeyword(shape) << " " << j << i;
          }
        }
      }
}

TEST(Stribeck, TakesTheCoefficientOfItsSpeed) {
  const Stribeck law = [] {
    Stribeck made;
    made.stiffness = 1e6;
    return made;
  }();  // coefficient 0.3 at rest, 0.2 at 0.1 m/s, 0.25 from 1 m/s on
  const auto slide = [&](double speed) {
    FrictionKinematics<double> k;
    k.compression = 100.0;
    k.position = {1.0, 0.0};
    k.slipRate = {speed, 0.0};
    return law.computeTrial<double>(k, {}).traction.first;
  };
  EXPECT_NEAR(slide(1e-12), -30.0, 1e-9);
  EXPECT_NEAR(slide(0.05), -25.0, 1e-12);
  EXPECT_NEAR(slide(0.1), -20.0, 1e-12);
  EXPECT_NEAR(slide(0.55), -22.5, 1e-12);
  EXPECT_NEAR(slide(7.0), -25.0, 1e-12);
}

TEST(Automaton, FollowsItsRules) {
  const Automaton law = [] {
    Automaton made;
    made.muStatic = made.muDynamic = 0.2;
    made.stiffness = 1e5;
    return made;
  }();
  const auto tried = [&](double x, double v, const FrictionMemory<double>& memory) {
    FrictionKinematics<double> k;
    k.compression = 10.0;
    k.position = {x, 0.0};
    k.slipRate = {v, 0.0};
    return law.computeTrial<double>(k, memory);
  };
  FrictionMemory<double> open;
  open.slipping = true;
  // The contact slips at once if the surface moves, and sticks otherwise.
  EXPECT_EQ(tried(0.0, 0.1, open).traction.first, -2.0);
  EXPECT_FALSE(tried(0.0, 1e-7, open).next.slipping);
  // After a reversal the contact sticks with the traction of the slip, until the spring force exceeds mu N.
  const FrictionMemory<double> slid = tried(0.0, 0.1, open).next;
  const FrictionTrial<double> turned = tried(-1e-6, -0.1, slid);
  EXPECT_FALSE(turned.next.slipping);
  EXPECT_NEAR(turned.traction.first, -2.0 + 0.1, 1e-12);
  const FrictionTrial<double> beyond = tried(-5e-5, -0.1, turned.next);
  EXPECT_TRUE(beyond.next.slipping);
  EXPECT_EQ(beyond.traction.first, 2.0);
}

}  // namespace
}  // namespace ricochet
