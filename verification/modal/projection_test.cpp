#include "modal/projection.hpp"

#include "modal/eigen_solver.hpp"
#include "verification/support/residual_flexibility.hpp"
#include "verification/support/structures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

using test::Chain;
using test::dofOf;
using test::Ends;
using test::kEpsilon;
using test::residualFlexibility;

using test::ux;
using test::uy;
constexpr Chain kGrounded{8, 1e4, 2.0, Ends::fixedFree};
constexpr Chain kFree{8, 1e4, 2.0, Ends::freeFree};

struct Model {
  explicit Model(const Structure& structure, const BasisSelection& selection = {.all = true})
      : physical(assembleModel(structure)), basis(extractModes(physical, selection)) {}
  PhysicalModel physical;
  ModalBasis basis;
};

/// Displacement field in full numbering with the given ux.
Vector fieldOf(const PhysicalModel& model, const Vector& values) {
  Vector field = Vector::Zero(model.dofs.totalDofCount());
  for (int node = 0; node < values.size(); ++node)
    field[model.dofs.find(dofOf(node, ux)).value] = values[node];
  return field;
}

/// phi_j(last mass)^2 of the free chain: 1 / (n m) for the rigid mode, else 2 / (n m) cos^2((j - 1)(n - 1/2)
/// pi / n).
double freeShapeSquared(const Chain& chain, int j) {
  const double n = chain.size;
  if (j == 1) return 1.0 / (n * chain.mass);
  const double c = std::cos((j - 1) * (n - 0.5) * std::numbers::pi / n);
  return 2.0 / (n * chain.mass) * c * c;
}

TEST(Projection, RowsAreThoseOfTheShapes) {
  const Model m(kGrounded.structure());
  const auto row = m.physical.dofs.find(dofOf(5, ux)).value;
  EXPECT_EQ(modeShapeRow(m.basis, m.physical.dofs, dofOf(5, ux)), m.basis.shapes.row(row));
  const Matrix rows = modeShapeRows(m.basis, m.physical.dofs, {dofOf(5, ux), dofOf(5, uy)});
  EXPECT_EQ(rows.row(0), m.basis.shapes.row(row));
  EXPECT_EQ(rows.row(1).norm(), 0.0);  // fixed
}

TEST(Projection, RowOfAMissingDofIsZero) {
  const Model m(kGrounded.structure());
  EXPECT_EQ(modeShapeRow(m.basis, m.physical.dofs, dofOf(5, Component::rx)), Eigen::RowVectorXd::Zero(8));
  EXPECT_EQ(modeShapeRow(m.basis, m.physical.dofs, dofOf(99, ux)), Eigen::RowVectorXd::Zero(8));
}

TEST(Projection, RowIsTheProjectedUnitForce) {
  const Model m(kGrounded.structure(), {.modes = 3});
  const Vector projected = m.basis.reducedShapes.transpose() * m.physical.reducedForce(dofOf(2, ux));
  EXPECT_EQ(Vector(modeShapeRow(m.basis, m.physical.dofs, dofOf(2, ux))), projected);
}

TEST(Projection, OfAFieldInTheSpanIsExact) {
  const Model m(kGrounded.structure(), {.modes = 3});
  const Vector q = Vec3(0.3, -0.2, 0.7);
  const ProjectedField found = projectField(m.basis, m.physical, m.basis.shapes * q);
  // Orthogonality and the product have about n roundings each; the remainder is the root of a sum of their
  // squares.
  EXPECT_LE((found.coordinates - q).norm(), 50.0 * kEpsilon);
  EXPECT_LE(found.remainder, 100.0 * kEpsilon);
}

TEST(Projection, OfAFieldOutOfTheSpanSaysWhatIsMissing) {
  const Model all(kGrounded.structure()), cut(kGrounded.structure(), {.modes = 3});
  // 3 in the first shape, 4 in the fifth: |u|_M = 5, of which 4 is lost.
  const Vector field = 3.0 * all.basis.shapes.col(0) + 4.0 * all.basis.shapes.col(4);
  const ProjectedField found = projectField(cut.basis, cut.physical, field);
  EXPECT_NEAR(found.remainder, 0.8, 50.0 * kEpsilon);
  EXPECT_NEAR(std::abs(found.coordinates[0]), 3.0, 100.0 * kEpsilon * 3.0);
  EXPECT_LE(found.coordinates.tail(2).norm(), 100.0 * kEpsilon * 5.0);
}

TEST(Projection, OfAnyFieldOnACompleteBasisIsExact) {
  const Model m(kFree.structure());
  Vector values(8);
  values << 0.1, -0.3, 0.2, 0.9, -0.5, 0.4, 0.7, -0.8;
  const Vector field = fieldOf(m.physical, values);
  const ProjectedField found = projectField(m.basis, m.physical, field);
  EXPECT_LE((m.basis.shapes * found.coordinates - field).norm(), 100.0 * kEpsilon);
  EXPECT_LE(found.remainder, 100.0 * kEpsilon);
}

/// The squares of this small field underflow to zero.
TEST(Projection, OfATinyFieldHasTheRemainderOfALargeOne) {
  const Model whole(kGrounded.structure()), part(kGrounded.structure(), {.modes = 3});
  const Vector values = 1e-300 * Vector::LinSpaced(8, 1.0, 8.0);
  EXPECT_LT(projectField(whole.basis, whole.physical, fieldOf(whole.physical, values)).remainder, 1e-12);
  const auto tiny = projectField(part.basis, part.physical, fieldOf(part.physical, values));
  const auto large = projectField(part.basis, part.physical, fieldOf(part.physical, 1e300 * values));
  EXPECT_GT(large.remainder, 1e-3);
  EXPECT_NEAR(tiny.remainder, large.remainder, 1e-9 * large.remainder);
}

TEST(Projection, OfNothingIsNothing) {
  const Model m(kFree.structure());
  const ProjectedField found =
      projectField(m.basis, m.physical, Vector::Zero(m.physical.dofs.totalDofCount()));
  EXPECT_EQ(found.coordinates, Vector::Zero(8));
  EXPECT_EQ(found.remainder, 0.0);
}

TEST(Projection, OfAFieldAgainstARelationIsTheNearestInMass) {
  // The shoe: u on ux only, with the relation ux = uy; the nearest allowed motion is u/2 on both, and |u| /
  // sqrt(2) is lost.
  Structure s;
  s.positions = {Vec3::Zero()};
  s.elements = {PointMass{NodeIndex{0}, 1.0, {}, Vec3::Zero()}, test::springBetween(0, -1, {1e4, 1e4, 0.0})};
  s.fixed = {dofOf(0, Component::uz)};
  s.relations = {{{{dofOf(0, ux), 0.7071}, {dofOf(0, uy), -0.7071}}}};
  const Model m(s);
  for (const Component c : {ux, uy}) {
    Vector field = Vector::Zero(3);
    field[m.physical.dofs.find(dofOf(0, c)).value] = 1.0;
    const ProjectedField found = projectField(m.basis, m.physical, field);
    const Vector back = m.basis.shapes * found.coordinates;
    EXPECT_NEAR(back[0], 0.5, 4.0 * kEpsilon);
    EXPECT_NEAR(back[1], 0.5, 4.0 * kEpsilon);
    EXPECT_NEAR(found.remainder, std::sqrt(0.5), 4.0 * kEpsilon);
  }
}

TEST(Projection, OfAFieldOnMasslessDofsOnlyIsAllRemainder) {
  Structure s = kGrounded.structure();
  s.positions.push_back({8.0, 0.0, 0.0});
  s.elements.emplace_back(test::springBetween(7, 8, {1e4, 1e4, 1e4}));
  s.fixed.push_back(dofOf(8, uy));
  s.fixed.push_back(dofOf(8, Component::uz));
  const Model m(s);
  Vector values = Vector::Zero(9);
  values[8] = 1e-3;
  EXPECT_EQ(projectField(m.basis, m.physical, fieldOf(m.physical, values)).remainder, 1.0);
}

TEST(Projection, RowsGiveTheFieldOfTheWantedDofs) {
  const Model m(kGrounded.structure());
  Vector values(8);
  values << 0.1, -0.3, 0.2, 0.9, -0.5, 0.4, 0.7, -0.8;
  const Vector q = projectField(m.basis, m.physical, fieldOf(m.physical, values)).coordinates;
  const Matrix wanted = modeShapeRows(m.basis, m.physical.dofs, {dofOf(6, ux), dofOf(1, ux), dofOf(1, uy)});
  ASSERT_EQ(wanted.rows(), 3);
  EXPECT_LE((wanted * q - Vec3(0.7, -0.3, 0.0)).norm(), 100.0 * kEpsilon);
}

TEST(ResidualFlexibility, OfACompleteBasisIsZero) {
  for (const Chain& chain : {kGrounded, kFree}) {
    const Model m(chain.structure());
    EXPECT_EQ(residualFlexibility(m.basis, m.physical, m.physical.reducedForce(dofOf(7, ux))), 0.0);
  }
}

TEST(ResidualFlexibility, OfAGroundedChainIsItsStaticFlexibilityLessTheModes) {
  // Springs in series: the flexibility at the tip of n springs is n / k.
  for (const int modes : {1, 3, 7}) {
    const Model m(kGrounded.structure(), {.modes = modes});
    const Vector tip = m.physical.reducedForce(dofOf(7, ux));
    double expected = 8.0 / kGrounded.stiffness;
    const Vector row = modeShapeRow(m.basis, m.physical.dofs, dofOf(7, ux));
    for (int j = 1; j <= modes; ++j) expected -= row[j - 1] * row[j - 1] / kGrounded.eigenvalue(j);
    // Rounding of the static solution, condition number (2 / pi * 17)^2 = 120.
    EXPECT_NEAR(residualFlexibility(m.basis, m.physical, tip), expected, 120.0 * kEpsilon * 8.0 / 1e4);
  }
}

TEST(ResidualFlexibility, OfAFreeChainIsTheSumOverTheOmittedModes) {
  for (const int modes : {1, 3, 7}) {
    const Model m(kFree.structure(), {.modes = modes});
    double expected = 0.0;
    for (int j = modes + 1; j <= 8; ++j) expected += freeShapeSquared(kFree, j) / kFree.eigenvalue(j);
    // Solutions with a shift of 1e-6 k / m are repeated until the shift has no effect: rounding at a
    // condition number of 1e6.
    EXPECT_NEAR(residualFlexibility(m.basis, m.physical, m.physical.reducedForce(dofOf(7, ux))), expected,
                1e6 * kEpsilon * expected)
        << modes;
  }
}

TEST(ResidualFlexibility, OfASoftStructureBesideAStiffOneIsNotBlurred) {
  // Two free pairs: 1 N/m and 1e6 N/m, 2 kg each. With the two rigid modes along x, the remaining flexibility
  // at the tip of the soft pair is 1 / (m omega^2 2) = 1/4 m/N: phi^2 = 1/(2 m), omega^2 = 2 k / m.
  Structure s = Chain{4, 1e6, 2.0, Ends::freeFree}.structure();
  std::erase_if(s.elements, [](const AnyElement& e) { return std::holds_alternative<Spring>(e); });
  s.elements.emplace_back(test::springBetween(0, 1, {1.0, 0.0, 0.0}));
  s.elements.emplace_back(test::springBetween(2, 3, {1e6, 0.0, 0.0}));
  const Model m(s, {.modes = 2});
  ASSERT_EQ(m.basis.rigidModes, 2);
  EXPECT_NEAR(residualFlexibility(m.basis, m.physical, m.physical.reducedForce(dofOf(0, ux))), 0.25, 1e-9);
}

TEST(ResidualFlexibility, OfAMasslessDofIsThatOfItsSpring) {
  // A massless tip on a spring k / 2: with all modes, only the flexibility 2 / k of this spring remains.
  Structure s = kGrounded.structure();
  s.positions.push_back({8.0, 0.0, 0.0});
  s.elements.emplace_back(test::springBetween(7, 8, {5e3, 0.0, 0.0}));
  s.fixed.push_back(dofOf(8, uy));
  s.fixed.push_back(dofOf(8, Component::uz));
  const Model m(s);
  EXPECT_TRUE(m.basis.complete);
  // The accuracy is that of the static solution at a condition number of some hundreds.
  EXPECT_NEAR(residualFlexibility(m.basis, m.physical, m.physical.reducedForce(dofOf(8, ux))), 2e-4,
              500.0 * kEpsilon * 1e-3);
}

}  // namespace
}  // namespace ricochet
