#include "physical/assembly/massless.hpp"

#include "physical/dense_solvers.hpp"
#include "physical/model_error.hpp"
#include "verification/support/structures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ricochet {
namespace {

using test::dofOf;
using test::kEpsilon;
using test::springBetween;

using test::ux;

PointMass particle(int node, double mass) { return {NodeIndex{node}, mass, {}, Vec3::Zero()}; }

/// Nodes on a line along x: ground --100-- 0 (2 kg) --300-- 1 --600-- 2 --200-- ground; 1 and 2 have no mass.
Structure springChain() {
  Structure s;
  s.positions.resize(3, Vec3::Zero());
  s.elements = {particle(0, 2.0), springBetween(0, -1, {100.0, 0.0, 0.0}),
                springBetween(0, 1, {300.0, 0.0, 0.0}), springBetween(1, 2, {600.0, 0.0, 0.0}),
                springBetween(2, -1, {200.0, 0.0, 0.0})};
  for (int node = 0; node < 3; ++node)
    for (const Component c : {Component::uy, Component::uz}) s.fixed.push_back(dofOf(node, c));
  return s;
}

TEST(MasslessPart, RespondsByTheFlexibilityOfItsOwnSprings) {
  const PhysicalModel model = assembleModel(springChain());
  const MasslessPart part(model);
  ASSERT_EQ(part.dofs(), (std::vector<int>{1, 2}));
  // Flexibility with node 0 fixed: the inverse of [900 -600; -600 800].
  const double determinant = 900.0 * 800.0 - 600.0 * 600.0;
  const Vector moved = part.staticResponse(model.reducedForce(dofOf(1, ux)));
  EXPECT_EQ(moved[0], 0.0);
  EXPECT_NEAR(moved[1], 800.0 / determinant, 4.0 * kEpsilon * moved[1]);
  EXPECT_NEAR(moved[2], 600.0 / determinant, 4.0 * kEpsilon * moved[2]);
}

TEST(MasslessPart, AddsToTheCondensedFlexibilityThatOfTheWhole) {
  // K^-1 = T (T^t K T)^-1 T^t + F
  const PhysicalModel model = assembleModel(springChain());
  const MasslessPart part(model);
  const DynamicModel condensed = condenseToDynamicModel(model);
  const Matrix t = condensed.transformation * Matrix(condensed.stiffness).inverse() *
                   Matrix(condensed.transformation).transpose();
  const Matrix whole = Matrix(model.stiffness).inverse();
  for (int node = 0; node < 3; ++node) {
    const Vector force = model.reducedForce(dofOf(node, ux));
    // The free dofs have the same order in the full and the reduced numbering.
    Vector kept(3);
    for (int i = 0; i < 3; ++i) kept[i] = t(3 * i, 3 * node);
    EXPECT_LT((whole * force - kept - part.staticResponse(force)).norm(), 20.0 * kEpsilon * whole.norm());
  }
}

TEST(MasslessPart, HandsTheForceOnToTheDofsWithMass) {
  const PhysicalModel model = assembleModel(springChain());
  const MasslessPart part(model);
  const Vector moved = part.forceCondensedToMass(model.reducedForce(dofOf(2, ux)));
  // Springs 300 and 600 in series, 200 in parallel: of the force on node 2, 200/(200 + 200) acts on node 0.
  EXPECT_NEAR(moved[0], 0.5, 4.0 * kEpsilon);
  EXPECT_EQ(moved.tail(2), Vector::Zero(2));
  const Vector own = model.reducedForce(dofOf(0, ux));
  EXPECT_FALSE(part.doesForceLoadMasslessDofs(own));
  EXPECT_EQ(part.forceCondensedToMass(own), own);
  EXPECT_TRUE(part.staticResponse(own).isZero(0.0));
}

TEST(MasslessPart, NamesDofsThatNothingHolds) {
  Structure s;
  s.positions.resize(3, Vec3::Zero());
  s.elements = {particle(0, 1.0), springBetween(0, -1, {1.0, 1.0, 1.0}),
                springBetween(1, 2, {5.0, 5.0, 5.0})};
  for (int node = 0; node < 3; ++node)
    for (const Component c : {Component::uy, Component::uz}) s.fixed.push_back(dofOf(node, c));
  const PhysicalModel model = assembleModel(s);
  const MasslessPart part(model);
  try {
    static_cast<void>(part.staticResponse(model.reducedForce(dofOf(1, ux))));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.dofs(), ::testing::ElementsAre(dofOf(1, ux), dofOf(2, ux)));
  }
}

}  // namespace
}  // namespace ricochet
