#include "modal/solvers/block_lanczos.hpp"

#include "modal/eigen_solver.hpp"
#include "verification/support/structures.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

using test::Chain;
using test::Ends;
using test::kEpsilon;
using test::Lattice;

void expectEigenpairs(const PhysicalModel& model, const Eigenpairs& pairs,
                      const std::vector<double>& expected, double tolerance) {
  const Eigen::Index modes = pairs.values.size();
  for (Eigen::Index j = 0; j < modes; ++j)
    EXPECT_NEAR(pairs.values[j], expected[static_cast<std::size_t>(j)], tolerance) << "mode " << j + 1;
  const Matrix gram = pairs.vectors.transpose() * (model.mass * pairs.vectors);
  EXPECT_LT((gram - Matrix::Identity(modes, modes)).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix residual =
      model.stiffness * pairs.vectors - model.mass * pairs.vectors * pairs.values.asDiagonal();
  // Tolerance of the iteration for the shift-inverted operator, times the largest value of K phi.
  EXPECT_LT(residual.cwiseAbs().maxCoeff(),
            1e-9 * (model.stiffness * pairs.vectors).cwiseAbs().maxCoeff() + 1e-9 * tolerance);
}

/// Elastic inverse of a structure with all of its parts in one matrix.
ElasticInverse inverseOf(const PhysicalModel& model) {
  auto whole = std::make_shared<StructurePart>();
  for (int row = 0; row < model.size(); ++row) {
    const Dof dof = model.dofs.dof(model.dofs.independentDofs()[static_cast<std::size_t>(row)]);
    whole->rows.push_back(row);
    whole->dofs.push_back({dof, model.positions[static_cast<std::size_t>(dof.node.value)]});
  }
  whole->stiffness = model.stiffness;
  whole->mass = model.mass;
  return {std::move(whole), 0.0};
}

TEST(BlockLanczos, ClosedFormOfAChain) {
  for (const Ends ends : {Ends::fixedFixed, Ends::fixedFree}) {
    const Chain chain{600, 1e4, 2.0, ends};
    const PhysicalModel model = assembleModel(chain.structure());
    std::vector<double> expected;
    for (int j = 1; j <= 20; ++j) expected.push_back(chain.eigenvalue(j));
    for (const int block : {1, 4, 8}) {
      const auto pairs =
          lowestModesByBlockLanczos(inverseOf(model), 20, chain.size, {.block = block, .room = 30});
      ASSERT_TRUE(pairs) << block;
      expectEigenpairs(model, *pairs, expected, 10.0 * chain.size * kEpsilon * chain.bound());
    }
  }
}

TEST(BlockLanczos, EveryCopyOfAMultiplet) {
  // A cube: eigenvalues of multiplicity up to 3 x 6, more than the vectors of a block; and rigid motions.
  const Lattice cube{{8, 8, 8}, {1e4, 1e4, 1e4}, 2.0};
  const PhysicalModel model = assembleModel(cube.structure());
  std::vector<double> expected = cube.eigenvalues();
  expected.erase(expected.begin(), expected.begin() + 3);
  const auto pairs = lowestModesByBlockLanczos(inverseOf(model), 78, model.size() - 3);
  ASSERT_TRUE(pairs);
  expectEigenpairs(model, *pairs, expected, 1e3 * kEpsilon * expected[77]);
}

TEST(BlockLanczos, RestartsInLittleRoom) {
  const Chain chain{500, 1e4, 2.0, Ends::fixedFree};
  const PhysicalModel model = assembleModel(chain.structure());
  std::vector<double> expected;
  for (int j = 1; j <= 30; ++j) expected.push_back(chain.eigenvalue(j));
  const auto pairs = lowestModesByBlockLanczos(inverseOf(model), 30, 48, {.block = 4});
  ASSERT_TRUE(pairs);  // at most 44 vectors
  expectEigenpairs(model, *pairs, expected, 10.0 * chain.size * kEpsilon * chain.bound());
}

TEST(BlockLanczos, GoesOnWhereTheSpaceIsExhausted) {
  // 60 masses as oscillators of five different kinds: a Krylov space of blocks of 4 has 5 x 4 directions, and
  // 45 pairs are requested.
  Structure s;
  std::vector<double> expected;
  for (int i = 0; i < 60; ++i) {
    s.positions.push_back(Vec3::Zero());
    s.elements.emplace_back(PointMass{NodeIndex{i}, 1.0, {}, Vec3::Zero()});
    s.elements.emplace_back(test::springBetween(i, -1, {1.0 + i % 5, 0.0, 0.0}));
  }
  for (int i = 0; i < 60; ++i) expected.push_back(1.0 + i / 12);
  test::fixAllComponentsExcept(s, Component::ux);
  const PhysicalModel model = assembleModel(s);
  const auto pairs = lowestModesByBlockLanczos(inverseOf(model), 45, 60, {.block = 4});
  ASSERT_TRUE(pairs);
  expectEigenpairs(model, *pairs, expected, 1e3 * kEpsilon);
}

TEST(BlockLanczos, SaysNothingWhereThereIsNoRoom) {
  const PhysicalModel model = assembleModel(Chain{20, 1e4, 2.0, Ends::fixedFree}.structure());
  EXPECT_FALSE(lowestModesByBlockLanczos(inverseOf(model), 15, 20, {.block = 8}));
}

TEST(LargeBasis, OfALatticeIsTheClosedForm) {
  const Lattice lattice{{16, 16, 16}, {1e4, 1.2e4, 1.5e4}, 0.5};  // 12288 dofs
  const PhysicalModel model = assembleModel(lattice.structure());
  const std::vector<double> expected = lattice.eigenvalues();
  const ModalBasis basis = extractModes(model, {.modes = 20});
  EXPECT_EQ(basis.rigidModes, 3);
  for (int j = 0; j < 20; ++j)
    EXPECT_NEAR(basis.eigenvalue[j], expected[static_cast<std::size_t>(j)],
                100.0 * kEpsilon * lattice.bound());
  EXPECT_LE(basis.residual.maxCoeff(), 1e-13);
  EXPECT_LE(basis.orthogonalityError, 1e-13);
  EXPECT_EQ(basis.missedModes, 1);  // eigenvalues are triple
}

}  // namespace
}  // namespace ricochet
