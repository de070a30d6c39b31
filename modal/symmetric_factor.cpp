#include "modal/symmetric_factor.hpp"

#include "modal/fill_ordering.hpp"
#include "physical/sparse.hpp"

#include <Eigen/SparseCholesky>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

// MUMPS is loaded in some ten milliseconds and then multiplies dense blocks ten times as fast as columns are
constexpr double kManyOperations = 5e7;
// more entries than this take longer to order by minimum degree than to factorize by fronts
constexpr Eigen::Index kManyEntries = 1'500'000;

/// Approximate minimum degree; nested dissection of a large matrix, whose factor it makes smaller.
template <bool dissects>
struct FillOrdering {
  using PermutationType = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

  template <class SymmetricMatrix>
  void operator()(const SymmetricMatrix& matrix, PermutationType& order) const {
    const std::vector<int> dissected = dissects ? nestedDissection(matrix) : std::vector<int>{};
    if (dissected.empty())
      Eigen::AMDOrdering<int>()(matrix, order);
    else
      order.indices() = Eigen::Map<const Eigen::VectorXi>(dissected.data(), matrix.rows());
  }
};

/// Eigen's factorization, which also says what it will take.
template <bool dissects>
class Columns : public Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, FillOrdering<dissects>> {
 public:
  double entries() const { return this->m_nonZerosPerCol.template cast<double>().sum(); }
  double operations() const { return this->m_nonZerosPerCol.template cast<double>().squaredNorm(); }
};

template <bool dissects>
class ColumnFactor final : public SymmetricFactor {
 public:
  explicit ColumnFactor(const SparseMatrix& matrix) { factor_.analyzePattern(matrix); }

  double operations() const { return factor_.operations(); }

  bool factorize(const SparseMatrix& matrix, double tiny) {
    factor_.factorize(matrix);
    if (factor_.info() != Eigen::Success || !factor_.vectorD().allFinite()) return false;
    Vector diagonal = matrix.diagonal();
    const bool permutes = factor_.permutationP().size() > 0;
    if (permutes) diagonal = factor_.permutationP() * diagonal;
    const Vector pivots = factor_.vectorD();
    for (Eigen::Index i = 0; i < pivots.size(); ++i)
      if (std::abs(pivots[i]) <= tiny * std::abs(diagonal[i]))
        tinyRows_.push_back(permutes ? factor_.permutationPinv().indices()[i] : static_cast<int>(i));
    return true;
  }

  void solve(Eigen::Ref<Matrix> columns) const override {
    for (Eigen::Index j = 0; j < columns.cols(); ++j) columns.col(j) = factor_.solve(Vector(columns.col(j)));
  }
  int negativePivots() const override { return static_cast<int>((factor_.vectorD().array() < 0.0).count()); }
  std::vector<int> tinyRows() const override { return tinyRows_; }
  double fill() const override { return factor_.entries() + static_cast<double>(factor_.rows()); }

 private:
  Columns<dissects> factor_;
  std::vector<int> tinyRows_;
};

}  // namespace

std::unique_ptr<SymmetricFactor> factorizeByColumns(const SparseMatrix& matrix, double tiny) {
  auto factor = std::make_unique<ColumnFactor<false>>(matrix);
  return factor->factorize(matrix, tiny) ? std::move(factor) : nullptr;
}

std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny) {
  if (matrix.nonZeros() < kManyEntries) {
    auto factor = std::make_unique<ColumnFactor<false>>(matrix);
    if (factor->operations() < kManyOperations) {
      if (!factor->factorize(matrix, tiny)) return nullptr;
      return factor;
    }
  }
  if (mumpsIsAvailable()) return factorizeByFronts(matrix, tiny);
  auto factor = std::make_unique<ColumnFactor<true>>(matrix);
  if (!factor->factorize(matrix, tiny)) return nullptr;
  return factor;
}

}  // namespace ricochet
