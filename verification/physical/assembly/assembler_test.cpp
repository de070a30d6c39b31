#include "physical/assembly/assembler.hpp"

#include "physical/dense_solvers.hpp"
#include "physical/model_error.hpp"
#include "verification/support/structures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace ricochet {
namespace {

using test::dofOf;
using test::kEpsilon;
using test::springBetween;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using test::ux;
using test::uy;
using test::uz;

PointMass particle(int node, double mass) { return {NodeIndex{node}, mass, {}, Vec3::Zero()}; }

std::vector<Dof> undeterminedDofs(const Structure& structure) {
  try {
    assembleModel(structure);
  } catch (const ModelError& error) {
    return error.dofs();
  }
  return {};
}

/// The shoe of SDND100: mass 1, 1e4 N/m along ux and uy, guided along the bisector by a relation.
Structure shoeStructure() {
  Structure s;
  s.positions = {Vec3::Zero()};
  s.elements = {particle(0, 1.0), springBetween(0, -1, {1e4, 1e4, 0.0})};
  s.fixed = {dofOf(0, uz)};
  s.relations = {{{{dofOf(0, ux), 0.7071}, {dofOf(0, uy), -0.7071}}}};
  return s;
}

TEST(Assembler, ShoeOfSdnd100HasOneDofOfTwiceTheMass) {
  const PhysicalModel model = assembleModel(shoeStructure());
  ASSERT_EQ(model.size(), 1);
  EXPECT_EQ(model.mass.coeff(0, 0), 2.0);
  EXPECT_EQ(model.stiffness.coeff(0, 0), 2e4);  // omega = sqrt(2e4 / 2) = 100 rad/s
  EXPECT_EQ(model.reducedForce(dofOf(0, ux)), Vector::Ones(1));
  EXPECT_EQ(model.reducedForce(dofOf(0, uy)), Vector::Ones(1));
  EXPECT_EQ(model.reducedForce(dofOf(0, uz)), Vector::Zero(1));
}

TEST(Assembler, ForceOnADofThatTheNodeDoesNotHaveIsZero) {
  EXPECT_EQ(assembleModel(shoeStructure()).reducedForce(dofOf(0, Component::rx)), Vector::Zero(1));
}

TEST(Assembler, AddsElementsOnTheSameDofs) {
  Structure s;
  s.positions = {Vec3::Zero(), Vec3::UnitX()};
  s.elements = {particle(0, 1.0),
                particle(0, 2.0),
                particle(1, 4.0),
                springBetween(0, 1, {8.0, 0.0, 0.0}),
                springBetween(1, 0, {16.0, 0.0, 0.0}),
                springBetween(1, -1, {32.0, 0.0, 0.0})};
  test::fixAllComponentsExcept(s, ux);
  const PhysicalModel model = assembleModel(s);
  Matrix k(2, 2), m(2, 2);
  k << 24.0, -24.0, -24.0, 56.0;
  m << 3.0, 0.0, 0.0, 4.0;
  EXPECT_EQ(Matrix(model.stiffness), k);
  EXPECT_EQ(Matrix(model.mass), m);
}

TEST(Assembler, FullMassHoldsTheWholeMassSupportsIncluded) {
  Structure s = test::Chain{7, 1e4, 0.5, test::Ends::fixedFixed}.structure();
  s.fixed.push_back(dofOf(3, ux));
  const PhysicalModel model = assembleModel(s);
  for (const Component c : {ux, uy, uz}) {
    Vector rigid = Vector::Zero(model.dofs.totalDofCount());
    for (int node = 0; node < 7; ++node) rigid[model.dofs.find(dofOf(node, c)).value] = 1.0;
    EXPECT_EQ(rigid.dot(model.fullMass * rigid), 3.5);  // halves: exact
  }
  EXPECT_EQ(model.size(), 6);
}

TEST(Assembler, UnsymmetricDashpotIsKeptThroughTheReduction) {
  Structure s;
  s.positions = {Vec3::Zero()};
  Matrix c = Matrix::Zero(3, 3);
  c(0, 1) = 5.0;
  c(1, 0) = -3.0;
  s.elements = {particle(0, 1.0), Dashpot{Connector{{NodeIndex{0}}, c, Mat3::Identity()}}};
  s.fixed = {dofOf(0, uz)};
  Matrix expected(2, 2);
  expected << 0.0, 5.0, -3.0, 0.0;
  EXPECT_EQ(Matrix(assembleModel(s).damping), expected);
}

TEST(Assembler, NodeOfADashpotAloneIsLoose) {
  Structure s;
  s.positions = {Vec3::Zero(), Vec3::Zero()};
  s.elements = {particle(0, 1.0), test::dashpotBetween(0, 1, {1.0, 1.0, 1.0})};
  EXPECT_THAT(undeterminedDofs(s), ElementsAre(dofOf(1, ux), dofOf(1, uy), dofOf(1, uz)));
}

TEST(Assembler, NamesEveryLooseDof) {
  Structure s;
  s.positions.resize(3, Vec3::Zero());
  s.elements = {particle(0, 1.0), springBetween(1, -1, {1.0, 0.0, 0.0}),
                springBetween(2, -1, {0.0, 1.0, 0.0})};
  s.fixed = {dofOf(2, uz)};
  EXPECT_THAT(undeterminedDofs(s), ElementsAre(dofOf(1, uy), dofOf(1, uz), dofOf(2, ux)));
}

TEST(Assembler, MasslessAndUnsupportedAreNotLooseAlone) {
  // A dof with stiffness only and a dof with mass only both have an equation.
  Structure s;
  s.positions = {Vec3::Zero(), Vec3::Zero()};
  s.elements = {particle(0, 1.0), springBetween(0, 1, {1.0, 1.0, 1.0})};
  EXPECT_THAT(undeterminedDofs(s), IsEmpty());
}

TEST(Assembler, RefusesAStructureWithoutFreeDof) {
  Structure s;
  s.positions = {Vec3::Zero()};
  s.elements = {particle(0, 1.0)};
  s.fixed = {dofOf(0, ux), dofOf(0, uy), dofOf(0, uz)};
  EXPECT_THROW(assembleModel(s), ModelError);
  EXPECT_THROW(assembleModel(Structure{}), ModelError);
}

TEST(Assembler, RotatedSpringStretchesAlongItsAxis) {
  // A spring k at 45 degrees on a slider along x, under F along the axis of the spring, gives u = F cos / (k
  // cos^2).
  Structure s;
  s.positions = {Vec3::Zero()};
  Connector c = Connector::connectorFromDiagonal({NodeIndex{0}}, Vec3(1000.0, 0.0, 0.0));
  c.axes = Eigen::AngleAxisd(-std::numbers::pi / 4.0, Vec3::UnitZ()).toRotationMatrix();
  s.elements = {particle(0, 1.0), Spring{c}};
  s.fixed = {dofOf(0, uy), dofOf(0, uz)};
  EXPECT_NEAR(assembleModel(s).stiffness.coeff(0, 0), 500.0, 4.0 * kEpsilon * 500.0);
}

TEST(Assembler, RigidArmByRelationsMovesTheMassAsAnOffsetDoes) {
  // A particle at 0.5 m along x from a node, joined by u = u0 + w x e, is a point mass with this offset.
  Structure tied, offset;
  const double e = 0.5, m = 2.0;
  const Mat3 j = Vec3(1.0, 2.0, 4.0).asDiagonal();
  tied.positions = {Vec3::Zero(), Vec3(e, 0.0, 0.0)};
  tied.elements = {PointMass{NodeIndex{0}, 0.0, j, Vec3::Zero()}, particle(1, m)};
  tied.relations = {{{{dofOf(1, ux), 1.0}, {dofOf(0, ux), -1.0}}},
                    {{{dofOf(1, uy), 1.0}, {dofOf(0, uy), -1.0}, {dofOf(0, Component::rz), -e}}},
                    {{{dofOf(1, uz), 1.0}, {dofOf(0, uz), -1.0}, {dofOf(0, Component::ry), e}}}};
  offset.positions = {Vec3::Zero()};
  offset.elements = {PointMass{NodeIndex{0}, m, j, Vec3(e, 0.0, 0.0)}};
  const PhysicalModel a = assembleModel(tied), b = assembleModel(offset);
  ASSERT_EQ(a.size(), 6);
  // The independent dofs differ, so the energies of the rigid motions of the node are compared; all numbers
  // are dyadic, hence exact.
  Matrix rigid = Matrix::Zero(a.size(), 6);
  for (int i = 0; i < a.size(); ++i) {
    const Dof dof = a.dofs.dof(a.dofs.independentDofs()[static_cast<std::size_t>(i)]);
    const auto c = static_cast<Eigen::Index>(dof.component);
    rigid(i, c) = 1.0;
    if (dof == dofOf(1, uy)) rigid(i, 5) = e;
    if (dof == dofOf(1, uz)) rigid(i, 4) = -e;
  }
  EXPECT_EQ(Matrix(rigid.transpose() * a.mass * rigid), Matrix(b.mass));
}

/// A structure without symmetry: a ring of six masses, springs of all kinds, supports and a relation. Node i
/// has the position order[i].
Structure ring(const std::vector<int>& order, bool reversed) {
  const auto at = [&](int i) { return order[static_cast<std::size_t>(i)]; };
  Structure s;
  s.positions.resize(6, Vec3::Zero());
  for (int i = 0; i < 6; ++i) {
    s.elements.emplace_back(particle(at(i), 1.0 + 0.1 * i));
    s.elements.emplace_back(
        springBetween(at(i), at((i + 1) % 6), {1000.0 + i, 500.0 + 2 * i, 300.0 + 3 * i}));
  }
  s.elements.emplace_back(springBetween(at(2), -1, {10.0, 20.0, 30.0}));
  s.fixed = {dofOf(at(0), ux), dofOf(at(5), uz)};
  s.relations = {{{{dofOf(at(1), ux), 1.0}, {dofOf(at(2), uy), -0.4}, {dofOf(at(3), uz), 0.3}}},
                 {{{dofOf(at(1), uy), 0.6}, {dofOf(at(2), uy), 0.8}, {dofOf(at(1), ux), -0.5}}}};
  if (reversed) {
    std::reverse(s.elements.begin(), s.elements.end());
    std::reverse(s.relations.begin(), s.relations.end());
    for (LinearRelation& r : s.relations) std::reverse(r.terms.begin(), r.terms.end());
  }
  return s;
}

Vector spectrum(const PhysicalModel& model) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver{Matrix(model.stiffness), Matrix(model.mass),
                                                                Eigen::EigenvaluesOnly};
  return solver.eigenvalues();
}

TEST(Assembler, SpectrumDoesNotDependOnAnyOrder) {
  std::vector<int> order(6);
  std::iota(order.begin(), order.end(), 0);
  const Vector reference = spectrum(assembleModel(ring(order, false)));
  ASSERT_EQ(reference.size(), 18 - 2 - 2);
  std::mt19937 random(3);
  for (int trial = 0; trial < 10; ++trial) {
    std::shuffle(order.begin(), order.end(), random);
    const Vector found = spectrum(assembleModel(ring(order, trial % 2 == 1)));
    ASSERT_EQ(found.size(), reference.size());
    // A dense solver is accurate to about n roundings of the largest eigenvalue; the condition number of T is
    // at most 10.
    EXPECT_LE((found - reference).cwiseAbs().maxCoeff(), 14.0 * 10.0 * kEpsilon * reference.maxCoeff());
  }
}

TEST(Assembler, MatricesAreSymmetricAfterReduction) {
  const PhysicalModel model = assembleModel(ring({4, 1, 3, 0, 5, 2}, false));
  const SparseMatrix kt = model.stiffness.transpose(), mt = model.mass.transpose();
  // T^t K T sums the same products in different orders: about twelve roundings.
  EXPECT_LE((Matrix(model.stiffness) - Matrix(kt)).cwiseAbs().maxCoeff(), 12.0 * kEpsilon * 4000.0);
  EXPECT_LE((Matrix(model.mass) - Matrix(mt)).cwiseAbs().maxCoeff(), 12.0 * kEpsilon * 5.0);
}

}  // namespace
}  // namespace ricochet
