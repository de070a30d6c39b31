// Contacts that the event scheme computes as series: those whose force is not linear, and the rigid ones
// whose reactions depend on the reactions of such contacts.

#include "engine/event/automata/series_contacts.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ricochet {
namespace {

/// A contact between two neighbours in a row of six bodies of 1 kg.
Contact betweenNeighbours(Eigen::Index left, AnyNormalLaw normal, AnyFrictionLaw friction = Frictionless{}) {
  Contact contact = test::contactOf(6, Plane{}, normal, friction);
  contact.rows(0, left) = -1.0;
  contact.rows(0, left + 1) = 1.0;
  contact.rows(1, left) = -0.1;
  contact.rows(1, left + 1) = 0.1;
  return contact;
}

std::vector<int> contactsInSeries(const std::vector<Contact>& contacts) {
  const std::vector<char> list = SeriesContacts::contactsComputedAsSeries(ContactSet(contacts, 6));
  return {list.begin(), list.end()};
}

/// The same bodies in other coordinates, q = Q z with an orthogonal matrix Q: rows of bodies apart keep a
/// product of zero up to rounding only, as where modes of equal frequency mix.
std::vector<Contact> inMixedModes(std::vector<Contact> contacts) {
  Matrix mixed = Matrix::Identity(6, 6);
  const Vector mirror = Vector{{1.0, -0.3, 0.7, 0.2, -1.1, 0.5}}.normalized();
  mixed -= 2.0 * mirror * mirror.transpose();
  for (Contact& each : contacts) each.rows = (each.rows * mixed).eval();
  return contacts;
}

TEST(SeriesGroups, ReachAsFarAsReactionsDependOnEachOther) {
  // Bodies 0 to 3 touch each other, and bodies 4 and 5; a spring alone joins 3 and 4.
  const std::vector<Contact> contacts{betweenNeighbours(0, Rigid{}), betweenNeighbours(1, Rigid{}, Coulomb{}),
                                      betweenNeighbours(2, Rigid{}, Stribeck{}),
                                      betweenNeighbours(3, LinearPenalty{}), betweenNeighbours(4, Rigid{})};
  const std::vector<int> expected{1, 1, 1, 0, 0};
  EXPECT_EQ(contactsInSeries(contacts), expected);
  EXPECT_EQ(contactsInSeries(inMixedModes(contacts)), expected);
}

TEST(SeriesGroups, AreNotJoinedByForcesThatAreNoReactions) {
  // Friction of a spring against a table has no reaction; a power of the penetration neither.
  const std::vector<Contact> contacts{
      betweenNeighbours(0, Rigid{}), betweenNeighbours(1, LinearPenalty{}, Stribeck{}),
      betweenNeighbours(2, Rigid{}), betweenNeighbours(3, Hertz{}), betweenNeighbours(4, Rigid{}, Coulomb{})};
  const std::vector<int> expected{0, 1, 0, 1, 0};
  EXPECT_EQ(contactsInSeries(contacts), expected);
}

TEST(SeriesGroups, JoinTractionsAcrossNormals) {
  // The normals of two contacts of one body are perpendicular, but the traction of one is along the other.
  Contact floor = test::contactOf(6, Plane{}, Rigid{}, Stribeck{});
  floor.rows(0, 0) = floor.rows(1, 1) = 1.0;
  Contact wall = test::contactOf(6, Plane{}, Rigid{});
  wall.rows(0, 1) = wall.rows(1, 0) = 1.0;
  EXPECT_EQ(contactsInSeries({wall, floor}), (std::vector<int>{1, 1}));
  floor.friction = Frictionless{};
  floor.obstacle = Curved{Circle{.clearance = 1.0}};
  EXPECT_EQ(contactsInSeries({wall, floor}), (std::vector<int>{1, 1}));
  wall.rows(0, 1) = wall.rows(1, 0) = 0.0;
  wall.rows(0, 2) = 1.0;
  EXPECT_EQ(contactsInSeries({wall, floor}), (std::vector<int>{0, 1}));
}

TEST(SeriesGroups, HoldElasticSlipsInAPlaneAsTheyAre) {
  // A rigid contact whose elastic friction turns has no series; it passes on the dependence of reactions.
  Contact turns =
      betweenNeighbours(1, Rigid{}, RegularisedCoulomb{.muStatic = 0.3, .muDynamic = 0.3, .stiffness = 1e5});
  turns.rows.row(2) = turns.rows.row(1) + Eigen::RowVectorXd::Unit(6, 5);
  const std::vector<Contact> contacts{betweenNeighbours(0, Rigid{}), turns,
                                      betweenNeighbours(2, Rigid{}, Stribeck{})};
  EXPECT_EQ(contactsInSeries(contacts), (std::vector<int>{1, 0, 1}));
}

}  // namespace
}  // namespace ricochet
