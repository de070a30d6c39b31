#include "io/deck/deck.hpp"
#include "verification/support/deck_file.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

using test::kTwoNodes;
using test::studyOf;

/// Axes are normalised and made orthogonal by a few operations: errors of a few 1e-16.
constexpr double kRounding = 1e-15;

/// The contact of a deck with two nodes: `body` contains "node" or "nodes", and "obstacle".
ContactRequest contactOf(const std::string& body, const std::string& normal = "{ stiffness = 10.0 }") {
  const Deck study =
      studyOf(kTwoNodes + std::string("[[contacts]]\nname = \"c\"\n") + body + "\nnormal = " + normal + "\n");
  return study.contacts.at(0);
}

/// Local coordinates when the first node is at `first` and the second, if any, at `second`.
Vec3 localPosition(const ContactRequest& contact, const Vec3& first, const Vec3& second = Vec3::Zero()) {
  return contact.frame * (first - second - contact.origin);
}

double gapAt(const ContactRequest& contact, const Vec3& first, const Vec3& second = Vec3::Zero()) {
  const double x = localPosition(contact, first, second).x();
  return visitPlanarObstacle(contact.obstacle, 0.0, [x](const auto& obstacle) { return obstacle.gap(x); });
}

/// Direction of the normal force on the first node.
Vec3 normalForceDirection(const ContactRequest& contact, const Vec3& first,
                          const Vec3& second = Vec3::Zero()) {
  const double x = localPosition(contact, first, second).x();
  const double side = visitPlanarObstacle(contact.obstacle, 0.0,
                                          [x](const auto& obstacle) { return obstacle.normalSign(x); });
  return side * contact.frame.row(0).transpose();
}

Vec3 tangentOf(const ContactRequest& contact, int number) { return contact.frame.row(number).transpose(); }

void expectNear(const Vec3& found, const Vec3& expected) {
  EXPECT_LE((found - expected).norm(), kRounding)
      << "found " << found.transpose() << ", expected " << expected.transpose();
}

void expectRightHanded(const Vec3& normal, const ContactRequest& contact) {
  expectNear(normal.cross(tangentOf(contact, 1)), tangentOf(contact, 2));
  EXPECT_LE((contact.frame * contact.frame.transpose() - Mat3::Identity()).norm(), 4.0 * kRounding);
}

/// SDND106: a weight written as a constant penetration.
const char* const kSole =
    "node = \"a\"\nobstacle = { type = \"slot\", axis = [0, 1, 0], direction = [0, 0, 1], "
    "center = [0, 0, 1.01], gap = 0.01 }\n"
    "friction = { static = 0.3, dynamic = 0.2, stiffness = 5.0e7 }";

TEST(DeckContacts, TheSoleStartsInTheLowerPlaneOfItsSlot) {
  const ContactRequest sole = contactOf(kSole);
  EXPECT_EQ(localPosition(sole, Vec3::Zero()).x(), -1.01);
  // 0.01 - 1.01: the constant penetration of 1 m.
  EXPECT_EQ(gapAt(sole, Vec3::Zero()), -1.0);
  expectNear(normalForceDirection(sole, Vec3::Zero()), Vec3::UnitZ());
  expectNear(tangentOf(sole, 1), Vec3::UnitX());
  expectNear(tangentOf(sole, 2), Vec3::UnitY());
  const auto& friction = std::get<RegularisedCoulomb>(sole.friction.law);
  EXPECT_EQ(friction.muStatic, 0.3);
  EXPECT_EQ(friction.muDynamic, 0.2);
  EXPECT_TRUE(sole.friction.criticalDamping);
}

TEST(DeckContacts, ASlotWithoutCentreIsCentredOnItsNode) {
  const ContactRequest c = contactOf(
      "node = \"b\"\nobstacle = { type = \"slot\", axis = [0, 0, 3], direction = [1, 1, 5], gap = 0.5 }");
  const Vec3 start(0.0, 0.0, 2.0);
  EXPECT_EQ(c.origin, start);
  EXPECT_EQ(gapAt(c, start), 0.5);
  // The direction is projected into the plane orthogonal to the axis.
  expectNear(c.frame.row(0).transpose(), Vec3(1.0, 1.0, 0.0).normalized());
  expectNear(tangentOf(c, 1), Vec3(-1.0, 1.0, 0.0).normalized());
  expectNear(tangentOf(c, 2), Vec3::UnitZ());
  expectRightHanded(c.frame.row(0).transpose(), c);
}

TEST(DeckContacts, ASlotOfAPairIsCarriedByTheSecondNode) {
  const ContactRequest c = contactOf(
      "nodes = [\"a\", \"b\"]\nobstacle = { type = \"slot\", axis = [0, 1, 0], direction = [0, 0, 1], gap = "
      "3 }");
  EXPECT_EQ(c.second, NodeIndex{1});
  EXPECT_EQ(localPosition(c, Vec3::Zero(), Vec3(0.0, 0.0, 2.0)).x(), -2.0);
  EXPECT_EQ(gapAt(c, Vec3::Zero(), Vec3(0.0, 0.0, 2.0)), 1.0);
  // Node a is near the lower plane, whose force acts upwards.
  expectNear(normalForceDirection(c, Vec3::Zero(), Vec3(0.0, 0.0, 2.0)), Vec3::UnitZ());
}

TEST(DeckContacts, ATangentOfASlotTurnsItsTangents) {
  const ContactRequest c = contactOf(
      "node = \"a\"\nobstacle = { type = \"slot\", axis = [0, 1, 0], direction = [0, 0, 1], gap = 1, "
      "tangent = [0, 2, 0] }");
  expectNear(tangentOf(c, 1), Vec3::UnitY());
  expectNear(tangentOf(c, 2), -Vec3::UnitX());
}

TEST(DeckContacts, APlaneStandsAtItsGapOrAtItsPoint) {
  const std::string plane = "node = \"b\"\nobstacle = { type = \"plane\", normal = [0, 0, -4], ";
  const Vec3 start(0.0, 0.0, 2.0);
  const ContactRequest byGap = contactOf(plane + "gap = -0.25 }");
  EXPECT_EQ(gapAt(byGap, start), -0.25);
  expectNear(normalForceDirection(byGap, start), -Vec3::UnitZ());
  const ContactRequest byPoint = contactOf(plane + "point = [5, 6, 3] }");
  EXPECT_EQ(gapAt(byPoint, start), 1.0);
}

TEST(DeckContacts, TangentsOfAPlaneFollowGlobalAxes) {
  const auto plane = [](const std::string& normal, const std::string& more = "") {
    return contactOf("node = \"a\"\nobstacle = { type = \"plane\", gap = 0, normal = " + normal + more +
                     " }");
  };
  const ContactRequest up = plane("[0, 0, 1]");
  expectNear(tangentOf(up, 1), Vec3::UnitX());
  expectNear(tangentOf(up, 2), Vec3::UnitY());
  const ContactRequest alongX = plane("[-2, 0, 0]");
  expectNear(tangentOf(alongX, 1), Vec3::UnitY());
  expectNear(tangentOf(alongX, 2), -Vec3::UnitZ());
  const ContactRequest oblique = plane("[3, 0, 4]");
  expectNear(tangentOf(oblique, 1), Vec3(0.8, 0.0, -0.6));
  for (const ContactRequest& c : {up, alongX, oblique}) expectRightHanded(c.frame.row(0).transpose(), c);
}

TEST(DeckContacts, TangentsOfAPlaneFollowItsKeys) {
  const std::string plane = "node = \"a\"\nobstacle = { type = \"plane\", gap = 0, normal = [0, 0, 1], ";
  const ContactRequest byTangent = contactOf(plane + "tangent = [0, 2, 7] }");
  expectNear(tangentOf(byTangent, 1), Vec3::UnitY());
  const ContactRequest byAxis = contactOf(plane + "axis = [2, 0, 7] }");
  expectNear(tangentOf(byAxis, 2), Vec3::UnitX());
  expectNear(tangentOf(byAxis, 1), -Vec3::UnitY());
  for (const ContactRequest& c : {byTangent, byAxis}) expectRightHanded(Vec3::UnitZ(), c);
}

TEST(DeckContacts, APairOfPlanesPushesItsFirstNodeBack) {
  // SDND100-B: both nodes at one position, each with 0.25 m of material.
  const ContactRequest c = contactOf(
      "nodes = [\"a\", \"b\"]\nthickness = [0.25, 0.25]\nobstacle = { type = \"plane\", normal = [0, 0, 1] "
      "}");
  EXPECT_EQ(gapAt(c, Vec3::Zero(), Vec3::Zero()), -0.5);
  EXPECT_EQ(gapAt(c, Vec3(0.0, 0.0, -1.0), Vec3::Zero()), 0.5);
  expectNear(normalForceDirection(c, Vec3::Zero(), Vec3::Zero()), -Vec3::UnitZ());
  // The tangents follow `normal`, not the direction of the force.
  expectRightHanded(Vec3::UnitZ(), c);
}

TEST(DeckContacts, ThePlanesOfAPairFaceEachOther) {
  const ContactRequest c = contactOf("nodes = [\"a\", \"b\"]\nobstacle = { type = \"plane\" }");
  expectNear(normalForceDirection(c, Vec3::Zero(), Vec3(0.0, 0.0, 2.0)), -Vec3::UnitZ());
  EXPECT_EQ(gapAt(c, Vec3::Zero(), Vec3(0.0, 0.0, 2.0)), 2.0);
}

TEST(DeckContacts, AnImposedForceStartsWhereItsNodeStands) {
  const std::string none = "obstacle = { type = \"none\", normal = [0, 2, 0] }";
  const ContactRequest one = contactOf("node = \"b\"\n" + none, "{ force = 12.5 }");
  EXPECT_TRUE(std::holds_alternative<ImposedForce>(one.normal));
  EXPECT_EQ(one.imposedForce.at(7.0), 12.5);
  EXPECT_EQ(localPosition(one, Vec3(0.0, 0.0, 2.0)), Vec3::Zero());
  expectNear(normalForceDirection(one, Vec3::Zero()), Vec3::UnitY());
  const ContactRequest pair = contactOf("nodes = [\"a\", \"b\"]\n" + none, "{ force = 12.5 }");
  EXPECT_EQ(localPosition(pair, Vec3::Zero(), Vec3(0.0, 0.0, 2.0)), Vec3::Zero());
  expectNear(normalForceDirection(pair, Vec3::Zero()), -Vec3::UnitY());
}

TEST(DeckContacts, ANodeHeldByASupportMayBeTouched) {
  const Deck study = studyOf(R"([[nodes]]
name = "a"
position = [0, 0, 0]
[[nodes]]
name = "wall"
position = [1, 0, 0]
[[masses]]
nodes = "a"
mass = 1
[[supports]]
nodes = "wall"
fixed = ["ux", "uy", "uz"]
[[contacts]]
name = "c"
nodes = ["a", "wall"]
obstacle = { type = "plane" }
normal = { stiffness = 1, tension = true }
)");
  EXPECT_TRUE(std::get<LinearPenalty>(study.contacts.at(0).normal).tension);
  EXPECT_FALSE(study.transient);
}

/// A law that is selected by its keys may be named as in results, `check` and the manual.
TEST(DeckContacts, LawsMayBeNamedBesideTheKeysThatChooseThem) {
  const std::string plane = "node = \"a\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap = 0 }";
  const std::string none = "node = \"a\"\nobstacle = { type = \"none\", normal = [0, 0, 1] }";
  const auto penalty = std::get<LinearPenalty>(
      contactOf(plane, "{ law = \"penalty\", stiffness = 5.0, damping = 2.0, tension = true }").normal);
  EXPECT_EQ(penalty.stiffness, 5.0);
  EXPECT_EQ(penalty.damping, 2.0);
  EXPECT_TRUE(penalty.tension);
  const ContactRequest pressed = contactOf(none, "{ law = \"imposed\", force = 3.0 }");
  EXPECT_TRUE(std::holds_alternative<ImposedForce>(pressed.normal));
  EXPECT_EQ(pressed.imposedForce.at(0.0), 3.0);

  const auto friction = [&](const std::string& keys) {
    return contactOf(plane + "\nfriction = { " + keys + " }").friction;
  };
  const FrictionRequest elastic = friction("law = \"coulomb\", static = 0.3, dynamic = 0.2, stiffness = 9.0");
  EXPECT_EQ(std::get<RegularisedCoulomb>(elastic.law).muStatic, 0.3);
  EXPECT_EQ(std::get<RegularisedCoulomb>(elastic.law).stiffness, 9.0);
  EXPECT_TRUE(elastic.criticalDamping);
  EXPECT_EQ(std::get<Coulomb>(friction("law = \"set_valued_coulomb\", coefficient = 0.4").law).muDynamic,
            0.4);
  const std::string table = "velocity_law = { speeds = [0.0, 1.0], coefficients = [0.3, 0.2] }";
  EXPECT_EQ(std::get<Stribeck>(friction("law = \"stribeck\", stiffness = 7.0, " + table).law).stiffness, 7.0);
  EXPECT_EQ(
      std::get<SpeedCoulomb>(friction("law = \"set_valued_stribeck\", " + table).law).table->coefficient[1],
      0.2);
  EXPECT_TRUE(std::holds_alternative<Frictionless>(friction("law = \"none\"").law));
}

}  // namespace
}  // namespace ricochet
