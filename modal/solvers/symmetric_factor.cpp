#include "modal/solvers/symmetric_factor.hpp"

#include "modal/solvers/fill_ordering.hpp"
#include "physical/sparse.hpp"

#include <Eigen/SparseCholesky>

#include <cmath>
#include <utility>

namespace ricochet {
namespace {

// Number of operations above which MUMPS is used: loading MUMPS costs about 10 ms, its dense blocks are
// factorized ten times as fast as columns.
constexpr double kManyOperations = 5e7;
// With more entries, minimum degree ordering takes longer than the multifrontal factorization.
constexpr Eigen::Index kManyEntries = 1'500'000;

using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

/// Eigen's factorization of an upper triangle with rows in elimination order; also estimates the operations
/// and entries before the factorization.
class Columns : public Eigen::SimplicialLDLT<SparseMatrix> {
 public:
  void analyseMatrixPattern(const SparseMatrix& ordered) { analyzePattern_preordered(ordered, true); }
  void factorize(const SparseMatrix& ordered) {
    analyseMatrixPattern(ordered);
    factorize_preordered<true>(ordered);
  }
  double entryCount() const { return m_nonZerosPerCol.cast<double>().sum(); }
  double factorizationOperationCount() const { return m_nonZerosPerCol.cast<double>().squaredNorm(); }
};

/// Permutation from a row to its position in the order.
Permutation positionsInEliminationOrder(const EliminationOrder& order, Eigen::Index rows) {
  Permutation places(rows);
  if (order.empty())
    places.setIdentity();
  else
    for (std::size_t k = 0; k < order.size(); ++k) places.indices()[order[k]] = static_cast<int>(k);
  return places;
}

/// Upper triangle of a matrix, permuted to the elimination order.
SparseMatrix permuteMatrixToOrder(const SparseMatrix& matrix, const Permutation& places) {
  SparseMatrix ordered(matrix.rows(), matrix.cols());
  ordered.selfadjointView<Eigen::Upper>() = matrix.selfadjointView<Eigen::Lower>().twistedBy(places);
  return ordered;
}

EliminationOrder minimumDegreeOrdering(const SparseMatrix& matrix) {
  Permutation order;
  Eigen::AMDOrdering<int>()(matrix.selfadjointView<Eigen::Lower>(), order);
  return {order.indices().data(), order.indices().data() + order.size()};
}

double operationCountOfFactorization(const SparseMatrix& matrix, const EliminationOrder& order) {
  Columns columns;
  columns.analyseMatrixPattern(
      permuteMatrixToOrder(matrix, positionsInEliminationOrder(order, matrix.rows())));
  return columns.factorizationOperationCount();
}

class ColumnFactor final : public SymmetricFactor {
 public:
  ColumnFactor(const SparseMatrix& matrix, const EliminationOrder& order, double tiny)
      : places_(positionsInEliminationOrder(order, matrix.rows())) {
    factor_.factorize(permuteMatrixToOrder(matrix, places_));
    if (!hasFactorizationSucceeded()) return;
    inverse_ = factor_.vectorD().cwiseInverse();
    const Vector diagonal = matrix.diagonal();
    for (Eigen::Index i = 0; i < diagonal.size(); ++i)
      if (std::abs(factor_.vectorD()[places_.indices()[i]]) <= tiny * std::abs(diagonal[i]))
        tinyRows_.push_back(static_cast<int>(i));
  }

  bool hasFactorizationSucceeded() const {
    return factor_.info() == Eigen::Success && factor_.vectorD().allFinite();
  }

  void solve(Eigen::Ref<Matrix> columns, Vector& work) const override {
    work.resize(columns.rows());
    for (auto column : columns.colwise()) {
      work.noalias() = places_ * column;
      factor_.matrixL().solveInPlace(work);
      work.array() *= inverse_.array();
      factor_.matrixU().solveInPlace(work);
      column.noalias() = places_.transpose() * work;
    }
  }
  int negativePivotCount() const override {
    return static_cast<int>((factor_.vectorD().array() < 0.0).count());
  }
  std::vector<int> rowsOfTinyPivots() const override { return tinyRows_; }
  double factorEntryCount() const override {
    return factor_.entryCount() + static_cast<double>(factor_.rows());
  }

 private:
  Permutation places_;
  Columns factor_;
  Vector inverse_;  // inverses of the pivots
  std::vector<int> tinyRows_;
};

}  // namespace

std::unique_ptr<SymmetricFactor> factorizeByColumns(const SparseMatrix& matrix, const EliminationOrder& order,
                                                    double tiny) {
  auto factor = std::make_unique<ColumnFactor>(matrix, order, tiny);
  if (!factor->hasFactorizationSucceeded()) return nullptr;
  return factor;
}

Elimination::Elimination(const SparseMatrix& pattern) {
  if (pattern.nonZeros() < kManyEntries) {
    order_ = minimumDegreeOrdering(pattern);
    if (operationCountOfFactorization(pattern, order_) < kManyOperations) return;
  }
  byFronts_ = isMumpsAvailable();
  EliminationOrder dissected = nestedDissectionOrdering(pattern);
  if (!dissected.empty() || byFronts_)
    order_ = std::move(dissected);
  else if (order_.empty())
    order_ = minimumDegreeOrdering(pattern);
}

Elimination Elimination::restrictOrderToRows(const std::vector<int>& rows) const {
  Elimination part;
  part.byFronts_ = byFronts_;
  std::vector<int> local(order_.size(), -1);
  if (order_.empty()) return part;  // without a given order, a part of it has none either
  for (std::size_t i = 0; i < rows.size(); ++i)
    local[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  for (const int row : order_)
    if (const int own = local[static_cast<std::size_t>(row)]; own >= 0) part.order_.push_back(own);
  return part;
}

std::unique_ptr<SymmetricFactor> Elimination::factorize(const SparseMatrix& matrix, double tiny) const {
  return byFronts_ ? factorizeMultifrontal(matrix, order_, tiny) : factorizeByColumns(matrix, order_, tiny);
}

std::optional<Inertia> Elimination::inertia(const SparseMatrix& matrix, double tiny) const {
  if (byFronts_) return inertiaByMultifrontalFactor(matrix, order_, tiny);
  const auto factor = factorizeByColumns(matrix, order_, tiny);
  if (!factor) return std::nullopt;
  return Inertia{factor->negativePivotCount(), factor->rowsOfTinyPivots()};
}

std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny) {
  return Elimination(matrix).factorize(matrix, tiny);
}

}  // namespace ricochet
