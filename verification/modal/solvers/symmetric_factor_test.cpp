#include "modal/solvers/symmetric_factor.hpp"

#include "modal/modal_basis.hpp"
#include "modal/solvers/fill_ordering.hpp"
#include "verification/support/structures.hpp"

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace ricochet {
namespace {

using test::kEpsilon;
using test::Lattice;

using Factorize = std::unique_ptr<SymmetricFactor> (*)(const SparseMatrix&, const EliminationOrder&, double);
constexpr double kRounding = 1e-14;

struct Library {
  std::string name;
  Factorize factorize;
};

void PrintTo(const Library& library, std::ostream* out) { *out << library.name; }

class SymmetricFactorOf : public ::testing::TestWithParam<Library> {
 protected:
  void SetUp() override {
    if (GetParam().name == "fronts" && !isMumpsAvailable()) GTEST_SKIP() << "MUMPS is not installed";
  }
  static std::unique_ptr<SymmetricFactor> factorOf(const SparseMatrix& matrix, double tiny = kRounding) {
    return GetParam().factorize(matrix, nestedDissectionOrdering(matrix), tiny);
  }
};
INSTANTIATE_TEST_SUITE_P(Library, SymmetricFactorOf,
                         ::testing::Values(Library{"columns", &factorizeByColumns},
                                           Library{"fronts", &factorizeMultifrontal}),
                         [](const auto& param) { return param.param.name; });

/// Factorization by columns gives the same bits each time. The dense kernels of fronts may sum in another
/// order if the memory alignment differs: some roundings times a condition number of at most 1e5.
void expectSameSolution(const Matrix& x, const Matrix& y, const Library& library) {
  const double tolerance = library.name == "columns" ? 0.0 : 1e5 * 10.0 * kEpsilon * y.cwiseAbs().maxCoeff();
  EXPECT_LE((x - y).cwiseAbs().maxCoeff(), tolerance);
}

const Lattice kLattice{{7, 6, 5}, {1e4, 1.3e4, 1.7e4}, 0.5};

SparseMatrix shiftedStiffness(const PhysicalModel& model, double shift) {
  return model.stiffness - shift * model.mass;
}

TEST_P(SymmetricFactorOf, SolvesForAllColumns) {
  const PhysicalModel model = assembleModel(kLattice.structure());
  for (const double shift : {-1e4, 3e3}) {  // definite and indefinite
    const SparseMatrix a = shiftedStiffness(model, shift);
    const auto factor = factorOf(a);
    ASSERT_NE(factor, nullptr);
    // 1 and 3 columns, and more columns than are solved at once.
    for (const int columns : {1, 3, 40}) {
      Matrix x = Matrix::NullaryExpr(a.rows(), columns, [](Eigen::Index i, Eigen::Index j) {
        return std::sin(1.0 + static_cast<double>(i * 7 + j));
      });
      const Matrix b = a * x;
      Matrix wide = Matrix::Zero(a.rows() + 3, columns);  // columns that are not contiguous in memory
      wide.topRows(a.rows()) = b;
      factor->solve(wide.topRows(a.rows()));
      // Some roundings times a condition number of at most 1e4.
      EXPECT_LT((wide.topRows(a.rows()) - x).cwiseAbs().maxCoeff(), 1e4 * 100.0 * kEpsilon);
      EXPECT_EQ(wide.bottomRows(3), Matrix::Zero(3, columns));
    }
  }
}

TEST_P(SymmetricFactorOf, CountsTheEigenvaluesBelow) {
  const PhysicalModel model = assembleModel(kLattice.structure());
  const std::vector<double> all = kLattice.eigenvalues();
  for (const std::size_t last : {std::size_t{2}, std::size_t{40}, all.size() / 2, all.size() - 2}) {
    if (all[last + 1] - all[last] < 1e-9 * all[last]) continue;
    const auto factor = factorOf(shiftedStiffness(model, 0.5 * (all[last] + all[last + 1])));
    ASSERT_NE(factor, nullptr);
    EXPECT_EQ(factor->negativePivotCount(), static_cast<int>(last) + 1);
    EXPECT_TRUE(factor->rowsOfTinyPivots().empty());
  }
}

TEST_P(SymmetricFactorOf, SeesRigidMotionsAsTinyPivots) {
  const SparseMatrix k = assembleModel(kLattice.structure()).stiffness;  // free motions along x, y and z
  for (const double unit : {1.0, 1e-12, 1e15}) {
    const auto factor = factorOf(unit * k, 1e-10);
    if (!factor) continue;  // a pivot is exactly zero, which also shows a singular matrix
    EXPECT_EQ(factor->rowsOfTinyPivots().size(), 3U) << unit;
  }
  const auto held = factorOf(shiftedStiffness(assembleModel(kLattice.structure()), -1.0), 1e-10);
  ASSERT_NE(held, nullptr);
  EXPECT_TRUE(held->rowsOfTinyPivots().empty());
  EXPECT_EQ(held->negativePivotCount(), 0);
}

TEST_P(SymmetricFactorOf, GivesTheSameEachTime) {
  const SparseMatrix a = shiftedStiffness(assembleModel(kLattice.structure()), -1.0);
  Matrix first = Matrix::Ones(a.rows(), 2), second = first;
  factorOf(a)->solve(first);
  factorOf(a)->solve(second);
  expectSameSolution(first, second, GetParam());
}

TEST_P(SymmetricFactorOf, ServesSeveralThreads) {
  const SparseMatrix a = shiftedStiffness(assembleModel(kLattice.structure()), -1.0);
  Matrix alone = Matrix::Ones(a.rows(), 2);
  factorOf(a)->solve(alone);
  std::vector<Matrix> together(4, Matrix::Ones(a.rows(), 2));
  {
    std::vector<std::jthread> threads;
    for (Matrix& each : together)
      threads.emplace_back([&a, &each] {
        for (int i = 0; i < 3; ++i) {
          each.setOnes();
          factorOf(a)->solve(each);
        }
      });
  }
  for (const Matrix& each : together) expectSameSolution(each, alone, GetParam());
}

TEST(Elimination, ServesAllMatricesOfItsPattern) {
  // Few and many operations: factorization by columns and by fronts.
  for (const std::array<int, 3>& size : {std::array{7, 6, 5}, std::array{24, 24, 24}}) {
    const Lattice lattice{size, {1e4, 1.3e4, 1.7e4}, 0.5};
    const PhysicalModel model = assembleModel(lattice.structure());
    const std::vector<double> all = lattice.eigenvalues();
    const Elimination elimination(model.stiffness);
    const SparseMatrix a = shiftedStiffness(model, -1e4);
    const auto factor = elimination.factorize(a, kRounding);
    ASSERT_NE(factor, nullptr);
    const Vector x = Vector::LinSpaced(a.rows(), -1.0, 1.0);
    Vector b = a * x;
    factor->solve(b);
    EXPECT_LT((b - x).cwiseAbs().maxCoeff(), 1e4 * 100.0 * kEpsilon);
    std::size_t last = 40;
    while (all[last + 1] - all[last] < 1e-6 * all[last]) ++last;
    const auto inertia =
        elimination.inertia(shiftedStiffness(model, 0.5 * (all[last] + all[last + 1])), kRounding);
    ASSERT_TRUE(inertia.has_value());
    EXPECT_EQ(inertia->negative, static_cast<int>(last) + 1);
    EXPECT_TRUE(inertia->tinyRows.empty());
  }
}

TEST(FillOrdering, ThreeDofsOfANodeAreOneVertex) {
  const Lattice lattice{{4, 3, 2}, {1.0, 2.0, 3.0}, 1.0};
  SparseMatrix k = assembleModel(lattice.structure()).stiffness;
  // A lattice does not couple two directions: relations couple them, so that all rows of a node have the same
  // pattern.
  const SparseMatrix one = k;
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < one.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(one, j); entry; ++entry)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          entries.emplace_back(static_cast<int>(entry.row()) / 3 * 3 + a, j / 3 * 3 + b, 1.0);
  k.setFromTriplets(entries.begin(), entries.end());
  const std::vector<int> vertex = groupRowsByPattern(k);
  for (std::size_t i = 0; i < vertex.size(); ++i) EXPECT_EQ(vertex[i], static_cast<int>(i) / 3);
  // Rows with different patterns are not merged.
  const std::vector<int> apart = groupRowsByPattern(one);
  EXPECT_EQ(std::vector<int>(apart), [&] {
    std::vector<int> own(apart.size());
    std::iota(own.begin(), own.end(), 0);
    return own;
  }());
}

/// Number of entries of L for an elimination order.
Eigen::Index fillOf(const SparseMatrix& matrix, const std::vector<int>& order) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> place(matrix.rows());
  for (std::size_t k = 0; k < order.size(); ++k) place.indices()[order[k]] = static_cast<int>(k);
  SparseMatrix permuted;
  permuted = matrix.twistedBy(place);
  const Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factor(permuted);
  return factor.matrixL().nestedExpression().nonZeros();
}

TEST(FillOrdering, NestedDissectionKeepsTheFactorOfAGridSmall) {
  // Fill of an n x n grid: n^3 entries in the order of the rows, 31/4 n^2 log2 n by nested dissection of the
  // plane (A. George, SIAM J. Numer. Anal. 10 (1973) 345-363).
  constexpr int n = 64;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n * n; ++i) {
    entries.emplace_back(i, i, 5.0);
    for (const int j : {i % n + 1 < n ? i + 1 : i, i + n})
      if (j != i && j < n * n) {
        entries.emplace_back(i, j, -1.0);
        entries.emplace_back(j, i, -1.0);
      }
  }
  SparseMatrix grid(n * n, n * n);
  grid.setFromTriplets(entries.begin(), entries.end());
  const std::vector<int> order = nestedDissectionOrdering(grid);
  if (order.empty()) GTEST_SKIP() << "built without METIS";
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> natural(sorted.size());
  std::iota(natural.begin(), natural.end(), 0);
  EXPECT_EQ(sorted, natural);
  EXPECT_EQ(order, nestedDissectionOrdering(grid));
  EXPECT_GT(fillOf(grid, natural), n * n * n * 9 / 10);
  EXPECT_LT(fillOf(grid, order), 31 * n * n * 6 / 4);
}

}  // namespace
}  // namespace ricochet
