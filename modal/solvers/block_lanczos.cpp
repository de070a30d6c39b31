#include "modal/solvers/block_lanczos.hpp"

#include "physical/dense_solvers.hpp"
#include "physical/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace ricochet {
namespace {

/// A Krylov subspace with the projection T of OP onto the subspace:
///
///     OP V = V T + Q R E^t,   V^t M V = I,   V^t M Q = 0
///
/// V: the basis vectors, Q: the next block, E: the columns of the identity to which R couples the next block.
class BlockSpace {
 public:
  BlockSpace(const ElasticInverse& inverse, int block, int most, unsigned seed)
      : inverse_(&inverse),
        mass_(&inverse.part().mass),
        random_(seed),
        block_(block),
        vectors_(inverse.size(), most),
        projection_(Matrix::Zero(most, most)) {
    next_ = randomVectorBlock();
    momenta_ = massProduct(next_);
    multiplyNextBlockByOperator();  // projects the start vectors onto the range of OP, in which massless dofs
                                    // follow statically
    orthonormaliseNextBlock();
    coupling_ = Matrix(block, 0);
  }

  Eigen::Index size() const noexcept { return size_; }
  bool isSubspaceFull() const noexcept { return size_ + block_ > vectors_.cols(); }

  /// Adds the next block to the subspace and computes a new next block.
  void addNextBlockToSubspace() {
    const Eigen::Index first = size_;
    // The vectors kept at a restart couple with the block through R, because OP is symmetric.
    projection_.block(first, first - coupling_.cols(), block_, coupling_.cols()) = coupling_;
    projection_.block(first - coupling_.cols(), first, coupling_.cols(), block_) = coupling_.transpose();
    vectors_.middleCols(first, block_) = next_;
    size_ += block_;

    multiplyNextBlockByOperator();
    // A block is orthogonalised again if a column, or a combination of columns, has less than this fraction
    // of its norm left: otherwise its rounding error grows in the next blocks (J.W. Daniel et al., Math.
    // Comp. 30 (1976) 772-795).
    constexpr double kMost = 0.7;
    Matrix within = Matrix::Zero(size_, block_);
    coupling_ = Matrix::Identity(block_, block_);
    for (int pass = 0; pass < kPasses; ++pass) {
      const Vector before = vectorNorms();
      within += removeBasisComponents() * coupling_;
      const Matrix left = orthonormaliseNextBlock();
      coupling_ = left * coupling_;
      if ((left.diagonal().array().abs() > kMost * before.array()).all()) break;
    }
    const Matrix own = within.bottomRows(block_);
    projection_.block(first, first, block_, block_) = 0.5 * (own + own.transpose());
  }

  /// Computes the Ritz values, decreasing, and the residuals |R E^t y| of the Ritz vectors V y.
  void computeRitzValues() {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(projection_.topLeftCorner(size_, size_)));
    values_ = solver.eigenvalues().reverse();
    rotation_ = solver.eigenvectors().rowwise().reverse();
    residuals_ = (coupling_ * rotation_.bottomRows(coupling_.cols())).colwise().norm();
  }
  const Vector& ritzValues() const noexcept { return values_; }
  const Vector& ritzResiduals() const noexcept { return residuals_; }

  /// Ritz vectors V y with the largest Ritz values.
  Matrix ritzVectors(Eigen::Index count) const {
    return vectors_.leftCols(size_) * rotation_.leftCols(count);
  }

  /// Restarts with only the first `count` Ritz vectors and the next block.
  void restartWithRitzVectors(Eigen::Index count) {
    vectors_.leftCols(count) = ritzVectors(count);
    coupling_ = coupling_ * rotation_.bottomRows(coupling_.cols()).leftCols(count);
    projection_.setZero();
    projection_.diagonal().head(count) = values_.head(count);
    size_ = count;
  }

 private:
  Matrix randomVectorBlock() {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    return Matrix::NullaryExpr(mass_->rows(), block_, [&] { return uniform(random_); });
  }

  /// Product of M and a block, row by row, so that one pass over M serves all columns (M is symmetric).
  Matrix massProduct(const Matrix& block) const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const RowMajor rows = block;
    return RowMajor(mass_->transpose() * rows);
  }

  /// Multiplies the next block by OP.
  void multiplyNextBlockByOperator() {
    next_ = momenta_;
    inverse_->solve(next_);
    momenta_ = massProduct(next_);
  }

  Vector vectorNorms() const {
    return next_.cwiseProduct(momenta_).colwise().sum().cwiseMax(0.0).cwiseSqrt();
  }

  /// Removes the components V^t M Q along the basis vectors from the next block, and returns these
  /// components.
  Matrix removeBasisComponents() {
    const auto v = vectors_.leftCols(size_);
    Matrix components = v.transpose() * momenta_;
    next_.noalias() -= v * components;
    momenta_ = massProduct(next_);
    return components;
  }

  /// Orthonormalises the next block: Q R with Q^t M Q = I, by Cholesky factors of the Gram matrix; the second
  /// pass removes the rounding error of the first. Returns R.
  Matrix orthonormaliseNextBlock() {
    Matrix r = Matrix::Identity(block_, block_);
    for (int pass = 0, sound = 0; pass < kPasses && sound < 2; ++pass) {
      const Matrix gram = next_.transpose() * momenta_;
      const Eigen::LLT<Matrix> cholesky(gram);
      const Vector pivots = cholesky.matrixLLT().diagonal();
      if (cholesky.info() != Eigen::Success || pivots.minCoeff() <= kExhausted * pivots.maxCoeff()) {
        r = replaceDependentVectors(gram) * r;
        sound = 0;
        continue;
      }
      cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(next_);
      cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(momenta_);
      r = Matrix(cholesky.matrixU()) * r;
      ++sound;
    }
    return r;
  }

  /// Normalises the independent directions of the next block and replaces the others by random directions,
  /// for which R is zero. Returns R.
  Matrix replaceDependentVectors(const Matrix& gram) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram);
    const Vector lengths = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    const Eigen::Index sound = (lengths.array() > kExhausted * lengths.maxCoeff()).count();
    const Matrix directions = solver.eigenvectors().rightCols(sound);
    const Matrix left = next_ * directions * lengths.tail(sound).cwiseInverse().asDiagonal();
    momenta_ = massProduct(randomVectorBlock());
    multiplyNextBlockByOperator();
    for (Eigen::Index j = 0; j < block_; ++j) next_.col(j) /= std::sqrt(next_.col(j).dot(momenta_.col(j)));
    next_.leftCols(sound) = left;
    momenta_ = massProduct(next_);
    Matrix r = Matrix::Zero(block_, block_);
    r.topRows(sound) = lengths.tail(sound).asDiagonal() * directions.transpose();
    return r;
  }

  static constexpr int kPasses = 6;
  // smallest length of a direction, relative to the longest of its block
  static constexpr double kExhausted = 1e-7;

  const ElasticInverse* inverse_;
  const SparseMatrix* mass_;
  std::mt19937_64 random_;
  Eigen::Index block_;
  Eigen::Index size_{0};
  Matrix vectors_;     // basis vectors V in the first columns
  Matrix projection_;  // projection T of OP
  Matrix next_;        // next block Q
  Matrix momenta_;     // momenta M Q of the next block
  Matrix coupling_;    // coupling R, for as many of the last columns of V as R has columns
  Vector values_, residuals_;
  Matrix rotation_;
};

}  // namespace

std::optional<Eigenpairs> lowestModesByBlockLanczos(const ElasticInverse& inverse, int modes, int available,
                                                    const BlockLanczosOptions& options) {
  // the next block also needs independent directions
  const int most = std::min(available - options.block, modes + std::max(modes, options.room));
  if (most <= modes + options.block) return std::nullopt;
  BlockSpace space(inverse, options.block, most, options.seed);
  const auto converged = [&] {
    if (space.size() < modes) return false;
    space.computeRitzValues();
    return (space.ritzResiduals().head(modes).array() <=
            options.tolerance * space.ritzValues().head(modes).array())
        .all();
  };
  for (int restart = 0; restart < options.restarts; ++restart) {
    while (!space.isSubspaceFull()) {
      space.addNextBlockToSubspace();
      if (!converged()) continue;
      const Vector values = space.ritzValues().head(modes).array().inverse();
      return Eigenpairs{values, space.ritzVectors(modes)};
    }
    // The subspace keeps half of its remaining capacity in addition to the modes; the other half is for new
    // blocks.
    space.restartWithRitzVectors(
        std::min<Eigen::Index>({modes + (most - modes) / 2, most - options.block, space.size()}));
  }
  return std::nullopt;
}

}  // namespace ricochet
