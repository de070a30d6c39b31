#include "modal/symmetric_factor.hpp"

#include "modal/fill_ordering.hpp"
#include "physical/sparse.hpp"

#include <Eigen/SparseCholesky>

#include <vector>

namespace ricochet {
namespace {

constexpr Eigen::Index kLargestByColumns = 10000;

/// Approximate minimum degree; nested dissection of a large matrix, whose factor it makes smaller.
struct FillOrdering {
  using PermutationType = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

  template <class SymmetricMatrix>
  void operator()(const SymmetricMatrix& matrix, PermutationType& order) const {
    const std::vector<int> dissected =
        matrix.rows() > kLargestByColumns ? nestedDissection(matrix) : std::vector<int>{};
    if (dissected.empty())
      Eigen::AMDOrdering<int>()(matrix, order);
    else
      order.indices() = Eigen::Map<const Eigen::VectorXi>(dissected.data(), matrix.rows());
  }
};

class ColumnFactor final : public SymmetricFactor {
 public:
  ColumnFactor(const SparseMatrix& matrix, double tiny) : factor_(matrix) {
    if (!succeeded()) return;
    Vector diagonal = matrix.diagonal();
    if (factor_.permutationP().size() > 0) diagonal = factor_.permutationP() * diagonal;
    tinyPivots_ =
        static_cast<int>((factor_.vectorD().array().abs() <= tiny * diagonal.array().abs()).count());
  }

  bool succeeded() const { return factor_.info() == Eigen::Success && factor_.vectorD().allFinite(); }

  void solve(Eigen::Ref<Matrix> columns) const override {
    for (Eigen::Index j = 0; j < columns.cols(); ++j) columns.col(j) = factor_.solve(Vector(columns.col(j)));
  }
  int negativePivots() const override { return static_cast<int>((factor_.vectorD().array() < 0.0).count()); }
  int tinyPivots() const override { return tinyPivots_; }

 private:
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, FillOrdering> factor_;
  int tinyPivots_{0};
};

}  // namespace

std::unique_ptr<SymmetricFactor> factorizeByColumns(const SparseMatrix& matrix, double tiny) {
  auto factor = std::make_unique<ColumnFactor>(matrix, tiny);
  if (!factor->succeeded()) return nullptr;
  return factor;
}

std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny) {
  return matrix.rows() > kLargestByColumns && mumpsIsAvailable() ? factorizeByFronts(matrix, tiny)
                                                                 : factorizeByColumns(matrix, tiny);
}

}  // namespace ricochet
