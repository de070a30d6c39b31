#include "modal/eigen_solver.hpp"

#include "verification/support/structures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace ricochet {
namespace {

using test::Chain;
using test::dofOf;
using test::Ends;
using test::kEpsilon;
using test::Lattice;

ModalBasis solvedBasis(const Structure& structure, const BasisSelection& selection = {.all = true}) {
  return extractModes(assembleModel(structure), selection);
}

std::string errorOf(const Structure& structure, const BasisSelection& selection) {
  try {
    solvedBasis(structure, selection);
  } catch (const BasisError& error) {
    return error.what();
  }
  return "no BasisError";
}

/// Eigenvalues, orthogonality and residuals are accurate to rounding: about n roundings of the largest
/// possible eigenvalue.
void expectChainModes(const Chain& chain, const ModalBasis& basis) {
  const double tolerance = 10.0 * chain.size * kEpsilon;
  for (int j = 0; j < basis.size(); ++j)
    EXPECT_NEAR(basis.eigenvalue[j], chain.eigenvalue(j + 1), tolerance * chain.bound()) << "mode " << j + 1;
  EXPECT_LE(basis.orthogonalityError, tolerance);
  EXPECT_LE(basis.residual.maxCoeff(), tolerance);
  EXPECT_EQ(basis.missedModes, 0);
  EXPECT_EQ(basis.rigidModes, chain.ends == Ends::freeFree ? 1 : 0);
  if (chain.ends == Ends::freeFree) {
    EXPECT_EQ(basis.eigenvalue[0], 0.0);
  }
}

class ChainModes : public ::testing::TestWithParam<Ends> {};
INSTANTIATE_TEST_SUITE_P(EigenSolver, ChainModes,
                         ::testing::Values(Ends::freeFree, Ends::fixedFree, Ends::fixedFixed));

TEST_P(ChainModes, OfAFewMassesAreTheClosedForm) {
  const Chain chain{5, 1e4, 2.0, GetParam()};
  const ModalBasis basis = solvedBasis(chain.structure());
  EXPECT_EQ(basis.size(), 5);
  EXPECT_TRUE(basis.complete);
  expectChainModes(chain, basis);
}

TEST_P(ChainModes, OfManyMassesAreTheClosedFormByLanczos) {
  const Chain chain{400, 1e4, 2.0, GetParam()};
  const ModalBasis basis = solvedBasis(chain.structure(), {.modes = 12});
  EXPECT_EQ(basis.size(), 12);
  EXPECT_FALSE(basis.complete);
  expectChainModes(chain, basis);
}

TEST_P(ChainModes, DoNotDependOnTheUnits) {
  for (const auto& [k, m] : {std::pair{1e12, 1e-6}, std::pair{1e-9, 1e6}, std::pair{1e-12, 1e-12}}) {
    const Chain small{5, k, m, GetParam()}, large{120, k, m, GetParam()};
    expectChainModes(small, solvedBasis(small.structure()));
    expectChainModes(large, solvedBasis(large.structure(), {.modes = 10}));
  }
}

TEST_P(ChainModes, EffectiveMassesSumToTheFreeMass) {
  const Chain chain{30, 1e4, 2.0, GetParam()};
  const ModalBasis basis = solvedBasis(chain.structure());
  const Vector total = basis.effectiveMass.colwise().sum();
  EXPECT_NEAR(total[0], 60.0, 60.0 * 100.0 * kEpsilon);
  EXPECT_EQ(total[1] + total[2], 0.0);  // fixed
  if (GetParam() != Ends::freeFree) return;
  // The rigid mode has the whole mass.
  EXPECT_NEAR(basis.effectiveMass(0, 0), 60.0, 60.0 * 100.0 * kEpsilon);
}

TEST_P(ChainModes, UpToAFrequencyAreExactlyThoseBelow) {
  const Chain chain{100, 1e4, 2.0, GetParam()};
  for (int last : {3, 20, 80}) {
    const double between = 0.5 * (std::sqrt(chain.eigenvalue(last)) + std::sqrt(chain.eigenvalue(last + 1)));
    const ModalBasis basis =
        solvedBasis(chain.structure(), {.frequencyMax = between / (2.0 * std::numbers::pi)});
    EXPECT_EQ(basis.size(), last);
    expectChainModes(chain, basis);
  }
}

TEST(EigenSolver, OfTheShoeOfSdnd106) {
  const ModalBasis basis = solvedBasis(Chain{2, 1e4, 5.0, Ends::freeFree}.structure());
  ASSERT_EQ(basis.size(), 2);
  EXPECT_EQ(basis.frequency()[0], 0.0);
  const double expected = std::sqrt(2.0) * std::sqrt(1e4 / 5.0) / (2.0 * std::numbers::pi);
  EXPECT_NEAR(basis.frequency()[1], expected, 8.0 * kEpsilon * expected);
  // Both masses in phase, then in opposition; the first component is positive.
  const double phi = 1.0 / std::sqrt(10.0);
  EXPECT_NEAR(basis.reducedShapes(0, 0), phi, 4.0 * kEpsilon);
  EXPECT_NEAR(basis.reducedShapes(1, 0), phi, 4.0 * kEpsilon);
  EXPECT_NEAR(basis.reducedShapes(0, 1), phi, 4.0 * kEpsilon);
  EXPECT_NEAR(basis.reducedShapes(1, 1), -phi, 4.0 * kEpsilon);
}

TEST(EigenSolver, OfTheShoeOfSdnd100) {
  Structure s;
  s.positions = {Vec3::Zero()};
  s.elements = {PointMass{NodeIndex{0}, 1.0, {}, Vec3::Zero()}, test::springBetween(0, -1, {1e4, 1e4, 0.0})};
  s.fixed = {dofOf(0, Component::uz)};
  s.relations = {{{{dofOf(0, Component::ux), 0.7071}, {dofOf(0, Component::uy), -0.7071}}}};
  const ModalBasis basis = solvedBasis(s);
  ASSERT_EQ(basis.size(), 1);
  EXPECT_NEAR(basis.omega()[0], 100.0, 4.0 * kEpsilon * 100.0);
  EXPECT_NEAR(basis.shapes(0, 0), std::sqrt(0.5), 2.0 * kEpsilon);
  EXPECT_NEAR(basis.shapes(1, 0), std::sqrt(0.5), 2.0 * kEpsilon);
}

TEST(EigenSolver, FrequencyMaxOnAModeTakesIt) {
  const double k = std::pow(2.0 * std::numbers::pi * 10.0, 2);
  Structure s = Chain{1, k, 1.0, Ends::fixedFree}.structure();
  EXPECT_EQ(solvedBasis(s, {.frequencyMax = 10.0}).size(), 1);
  EXPECT_THAT(errorOf(s, {.frequencyMax = 9.999}), ::testing::HasSubstr("no mode below"));
}

TEST(EigenSolver, CountsBelowAnEigenvalueStrictly) {
  const PhysicalModel one = assembleModel(Chain{1, 1e4, 1.0, Ends::fixedFree}.structure());
  EXPECT_EQ(countEigenvaluesBelow(one, 1e4), 0);
  EXPECT_EQ(countEigenvaluesBelow(one, 1.001e4), 1);
  EXPECT_EQ(countEigenvaluesBelow(assembleModel(Chain{4, 1e4, 1.0, Ends::freeFree}.structure()), 0.0), 0);
  // 2 k / m makes the first pivot of a fixed pair zero, but is no eigenvalue (k/m and 3 k/m).
  EXPECT_EQ(countEigenvaluesBelow(assembleModel(Chain{2, 1e4, 1.0, Ends::fixedFixed}.structure()), 2e4), 1);
}

TEST(EigenSolver, TooManyModesAreRefused) {
  EXPECT_THAT(errorOf(Chain{5}.structure(), {.modes = 6}),
              ::testing::HasSubstr("6 modes asked for, but the structure has 5"));
  EXPECT_EQ(solvedBasis(Chain{5}.structure(), {.modes = 5}).size(), 5);
}

TEST(EigenSolver, SignsAreTheSameEachTime) {
  for (const int n : {10, 200}) {
    const Structure s = Chain{n, 1e4, 2.0, Ends::freeFree}.structure();
    const ModalBasis a = solvedBasis(s, {.modes = 8}), b = solvedBasis(s, {.modes = 8});
    EXPECT_EQ(a.shapes, b.shapes);
    // The largest component, the first of equal ones, is positive: at a free end each mode of a chain has its
    // largest component or nearly so (cos of pi j / 2n): the sign is then that of the first mass.
    for (int j = 0; j < 8; ++j) EXPECT_GT(a.reducedShapes.col(j).maxCoeff(), 0.0);
    EXPECT_GT(a.reducedShapes(0, 1), 0.0);
  }
}

TEST(EigenSolver, UnstableStructureIsRefused) {
  for (const int n : {5, 100}) {
    Structure s = Chain{n, 1e4, 2.0, Ends::fixedFixed}.structure();
    s.elements.emplace_back(test::springBetween(n / 2, -1, {-1e6, 0.0, 0.0}));
    EXPECT_THAT(errorOf(s, {.modes = 2}), ::testing::HasSubstr("the structure is unstable"));
  }
}

TEST(EigenSolver, WeaklyUnstableStructureIsRefused) {
  // A free pair with a negative spring of 1e-8 of the stiffness: the eigenvalue is above the shift of
  // rigid-body modes.
  Structure s = Chain{2, 1e4, 2.0, Ends::freeFree}.structure();
  s.elements.emplace_back(test::springBetween(0, -1, {-1e-4, 0.0, 0.0}));
  EXPECT_THAT(errorOf(s, {.modes = 1}), ::testing::HasSubstr("the structure is unstable"));
}

TEST(EigenSolver, FindsEveryCopyOfAMultipleMode) {
  for (const int n : {6, 80}) {  // dense and Lanczos
    const Lattice row{{n, 1, 1}, {1e4, 1e4, 1e4}, 2.0};
    const std::vector<double> expected = row.eigenvalues();
    const ModalBasis basis = solvedBasis(row.structure(), {.modes = 9});
    EXPECT_EQ(basis.rigidModes, 3);
    EXPECT_EQ(basis.missedModes, 0);
    for (int j = 0; j < 9; ++j)
      EXPECT_NEAR(basis.eigenvalue[j], expected[static_cast<std::size_t>(j)],
                  10.0 * n * kEpsilon * row.bound());
    EXPECT_EQ(basis.eigenvalue.head(3), Vector::Zero(3));
  }
}

TEST(EigenSolver, SaysWhatACutMultipleModeLeavesOut) {
  for (const int n : {6, 80}) {
    const Structure s = Lattice{{n, 1, 1}, {1e4, 1e4, 1e4}, 2.0}.structure();
    EXPECT_EQ(solvedBasis(s, {.modes = 1}).missedModes, 2);  // rigid translations
    EXPECT_EQ(solvedBasis(s, {.modes = 3}).missedModes, 0);
    EXPECT_EQ(solvedBasis(s, {.modes = 7}).missedModes, 2);
    EXPECT_EQ(solvedBasis(s, {.modes = 8}).missedModes, 1);
  }
}

TEST(EigenSolver, OfALargeLatticeAreTheClosedForm) {
  const Lattice lattice{{12, 12, 12}, {1e4, 1.2e4, 1.5e4}, 0.5};  // 5184 dofs
  const PhysicalModel model = assembleModel(lattice.structure());
  const ModalBasis basis = extractModes(model, {.modes = 20});
  const std::vector<double> expected = lattice.eigenvalues();
  EXPECT_EQ(basis.rigidModes, 3);
  for (int j = 0; j < 20; ++j)
    // Rounding of K phi, a row of 7 terms.
    EXPECT_NEAR(basis.eigenvalue[j], expected[static_cast<std::size_t>(j)],
                100.0 * kEpsilon * lattice.bound());
  EXPECT_LE(basis.residual.maxCoeff(), 1e-13);  // about n^1/2 roundings
  EXPECT_LE(basis.orthogonalityError, 1e-13);
  // Modes are triple: a limit of 20 cuts the seventh triple.
  EXPECT_EQ(basis.missedModes, 1);
  EXPECT_EQ(countEigenvaluesBelow(model, 0.5 * (expected[20] + expected[21])), 21);
}

}  // namespace
}  // namespace ricochet
