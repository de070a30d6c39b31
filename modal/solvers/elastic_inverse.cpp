#include "modal/solvers/elastic_inverse.hpp"

#include "modal/solvers/basis_error.hpp"
#include "modal/solvers/massless_motion.hpp"
#include "modal/solvers/rigid_motions.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace ricochet {
namespace {

// A motion is examined if its eigenvalue of the scaled matrix is below this limit: it is a mechanism, or a
// soft motion of a long slender part.
constexpr double kSoft = 1e-10;
constexpr Eigen::Index kLookedFor = 6;  // number of motions searched at a time
// Limit of z^t M z of a massless motion, relative to its largest possible value for the same dofs.
constexpr double kNoMassShare = 1e-13;
// Number of rounding errors in a row of K times a motion whose other rows were solved for.
constexpr double kFollowing = 4.0;
// Limits of a mechanism in units of rounding errors: in 20 000 random structures mechanisms have reactions of
// at most 1e-14, soft motions with strain at least 2e-13; their strain shares overlap.
constexpr double kReaction = 160.0, kStrainShare = 4096.0;

[[noreturn]] void throwMasslessMotionError(const StructurePart& part, const Vector& motion,
                                           const Vector& scale) {
  Eigen::Index row = 0;
  motion.cwiseQuotient(scale).cwiseAbs().maxCoeff(&row);
  throw BasisError(kUndetermined, part.dofs[static_cast<std::size_t>(row)].dof);
}

/// Selects one row for each motion (in scaled rows) where the motions are largest, so that fixing these rows
/// is well conditioned.
std::vector<int> selectRowsOfLargestMotion(Matrix motions) {
  if (motions.cols() == 0) return {};
  for (auto column : motions.colwise()) column.normalize();
  const Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(motions.transpose()));
  const auto& order = qr.colsPermutation().indices();
  return {order.data(), order.data() + motions.cols()};
}

/// Solves for the columns with the rows `held` fixed at 0, by a factorization in which these rows are fixed.
void solveWithFixedDofs(Eigen::Ref<Matrix> columns, const std::vector<int>& held,
                        const SymmetricFactor& factor) {
  for (const int row : held) columns.row(row).setZero();
  factor.solve(columns);
  for (const int row : held) columns.row(row).setZero();
}

/// Strain share of a motion in scaled rows, without rows whose force is within the rounding errors of the
/// motion: where all terms of a row are small, these errors may be as large as the terms.
double strainShareBeyondRounding(const SparseMatrix& scaled, const Vector& motion) {
  constexpr double kRoundings = 16.0;
  const double least = kRoundings * kMachineEpsilon * motion.cwiseAbs().maxCoeff();
  const Vector sums = scaled * motion, terms = scaled.cwiseAbs() * motion.cwiseAbs();
  double largest = 0.0;
  for (Eigen::Index i = 0; i < sums.size(); ++i)
    if (std::abs(sums[i]) > least) largest = std::max(largest, std::abs(sums[i]) / terms[i]);
  return largest;
}

/// Matrix K with the rows and columns `held` replaced by rows and columns of the identity.
SparseMatrix fixRowsOfMatrix(SparseMatrix matrix, const std::vector<int>& held) {
  if (held.empty()) return matrix;
  std::vector<bool> isHeld(static_cast<std::size_t>(matrix.rows()), false);
  for (const int row : held) isHeld[static_cast<std::size_t>(row)] = true;
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry)
      if (isHeld[static_cast<std::size_t>(entry.row())] || isHeld[static_cast<std::size_t>(entry.col())])
        entry.valueRef() = entry.row() == entry.col() ? 1.0 : 0.0;
  for (const int row : held) matrix.coeffRef(row, row) = 1.0;
  return matrix;
}

}  // namespace

ElasticInverse::ElasticInverse(std::shared_ptr<const StructurePart> given, double rounding)
    : part_(std::move(given)), elimination_(part_->stiffness.cwiseAbs() + part_->mass.cwiseAbs()) {
  const StructurePart& part = *part_;
  scale_ = scaleFactorsToUnitDiagonal(part.stiffness.diagonal());
  scaled_ = scale_.asDiagonal() * part.stiffness * scale_.asDiagonal();

  const RigidMotions rigid = rigidMotions(part, rounding);
  const double unit = std::max(rounding, kMachineEpsilon);
  std::vector<Vector> motions;
  for (const auto column : rigid.shapes.colwise()) motions.emplace_back(column);
  translations_ = rigid.translations;
  held_ = selectRowsOfLargestMotion(scale_.cwiseInverse().asDiagonal() * rigid.shapes);

  for (Eigen::Index looked = kLookedFor;; looked *= 2) {
    factor_ = factorizeStiffnessWithFixedRows(held_);
    // A pivot of exactly 0 would end the factorization; a pivot of the size of rounding does not.
    const auto raised = factor_ ? nullptr : factorizeStiffnessWithFixedRows(held_, 8.0 * kMachineEpsilon);
    if (!factor_ && !raised) throw BasisError("the stiffness matrix could not be factorized");
    const Matrix soft = computeSoftestMotions(factor_ ? *factor_ : *raised, looked);
    if (soft.cols() > 0 && findMechanisms(soft, {kStrainShare * unit, kReaction * unit}, motions)) continue;
    if (factor_ && factor_->negativePivotCount() == 0) break;
    // A negative pivot within rounding is that of a motion without stiffness, whatever its strain seems to
    // be.
    throwIfNegativeStiffness(unit);
    if (soft.cols() > 0 && findMechanisms(soft, {1.0, kReaction * unit}, motions)) continue;
    throw BasisError("the stiffness matrix is singular, and no motion without strain says why");
  }
  mechanisms_ = static_cast<int>(motions.size()) - static_cast<int>(rigid.shapes.cols());

  Matrix all(part.size(), static_cast<Eigen::Index>(motions.size()));
  for (std::size_t k = 0; k < motions.size(); ++k)
    all.col(static_cast<Eigen::Index>(k)) = correctedMotionWithoutStrain(motions[k]);
  normaliseZeroModes(all);
}

std::unique_ptr<SymmetricFactor> ElasticInverse::factorizeStiffnessWithFixedRows(const std::vector<int>& held,
                                                                                 double added) const {
  SparseMatrix matrix = fixRowsOfMatrix(scaled_, held);
  if (added != 0.0)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      if (double& entry = matrix.coeffRef(i, i); entry >= 0.0) entry += added;
  return elimination_.factorize(matrix, 0.0);
}

/// Throws BasisError if a motion has a stiffness that is negative beyond rounding: pivots are still negative
/// after each diagonal entry has been raised by the rounding errors of its elimination.
void ElasticInverse::throwIfNegativeStiffness(double unit) const {
  const auto raised = factorizeStiffnessWithFixedRows(held_, kReaction * unit);
  const int negative = raised ? raised->negativePivotCount() : 0;
  if (negative > 0)
    throw BasisError(std::to_string(negative) + (negative == 1 ? " mode has" : " modes have") +
                     " a negative stiffness: the structure is unstable");
}

/// Removes the straining part of motions (in scaled rows) while the rows `held` stay unchanged: solves for K
/// x and subtracts the solution, repeatedly, because each pass has rounding errors.
void ElasticInverse::removeStrainOfMotions(Matrix& motions, const std::vector<int>& held,
                                           const SymmetricFactor& factor) const {
  constexpr int kCorrections = 3;
  for (int pass = 0; pass < kCorrections; ++pass) {
    Matrix forces = scaled_ * motions;
    solveWithFixedDofs(forces, held, factor);
    motions -= forces;
  }
}

/// The motion without strain caused by its rounding errors: a rotation about an axis with a rounding error in
/// this axis would stretch a slender part more than the part resists bending.
Vector ElasticInverse::correctedMotionWithoutStrain(const Vector& motion) const {
  if (relativeStrainForce(part_->stiffness, motion) <= kFollowing * kMachineEpsilon) return motion;
  Matrix scaled = scale_.cwiseInverse().asDiagonal() * motion;
  removeStrainOfMotions(scaled, held_, *factor_);
  return scale_.asDiagonal() * scaled;
}

/// Motions with the least strain (in scaled rows), by block inverse iteration: motions whose stiffness is
/// near the rounding error of the largest stiffness. A small pivot would not reveal all of them: the pivot of
/// a row that such a motion hardly moves is not small.
Matrix ElasticInverse::computeSoftestMotions(const SymmetricFactor& factor, Eigen::Index looked) const {
  const Eigen::Index count = std::min(looked, size() - static_cast<Eigen::Index>(held_.size()));
  if (count <= 0) return Matrix(size(), 0);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matrix block = Matrix::NullaryExpr(size(), count, [&] { return uniform(random); });
  constexpr int kIterations = 3;
  for (int i = 0;; ++i) {
    block = orthonormalBasisOfColumns(block);
    solveWithFixedDofs(block, held_, factor);
    if (i < kIterations) continue;
    const Eigen::JacobiSVD<Matrix> svd(block, Eigen::ComputeThinU);
    const Eigen::Index soft = (svd.singularValues().array() >= 1.0 / kSoft).count();
    return svd.matrixU().leftCols(soft);
  }
}

/// Finds the mechanisms (motions without strain) among the softest motions. The rows held are those with
/// large stiffness that the motion moves most: if a rotation were held, the rounding of the stiffness along a
/// slender part would be large compared with the stiffness of this row.
bool ElasticInverse::findMechanisms(const Matrix& soft, StrainLimits limits, std::vector<Vector>& motions) {
  const std::vector<int> rows = selectRowsOfLargestMotion(soft);
  std::vector<int> both = held_;
  both.insert(both.end(), rows.begin(), rows.end());
  const auto within = factorizeStiffnessWithFixedRows(both);
  if (!within) throw BasisError("the stiffness matrix could not be factorized");
  // Each of these rows is moved by 1 while the other rows of the set and the held rows are fixed; the
  // remaining rows follow.
  Matrix moved = Matrix::Zero(size(), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) moved(rows[k], static_cast<Eigen::Index>(k)) = 1.0;
  removeStrainOfMotions(moved, both, *within);
  const Matrix reactions = Matrix(scaled_ * moved)(rows, Eigen::all);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(0.5 * (reactions + reactions.transpose())));
  const Matrix candidates = moved * solver.eigenvectors();  // in scaled rows

  Matrix found(size(), 0);
  for (Eigen::Index k = 0; k < candidates.cols(); ++k) {
    const auto motion = candidates.col(k);
    if (std::abs(solver.eigenvalues()[k]) > limits.reaction) continue;
    if (strainShareBeyondRounding(scaled_, motion) > limits.share) continue;
    motions.emplace_back(scale_.asDiagonal() * motion);
    found.conservativeResize(Eigen::NoChange, found.cols() + 1);
    found.rightCols(1) = motion;
  }
  if (found.cols() == 0) return false;
  const std::vector<int> held = selectRowsOfLargestMotion(found);
  held_.insert(held_.end(), held.begin(), held.end());
  return true;
}

/// Makes the motions M-orthonormal in their order, so that the first motions stay pure translations.
void ElasticInverse::normaliseZeroModes(const Matrix& motions) {
  zeroModes_ = motions;
  momenta_ = part_->mass * zeroModes_;
  if (motions.cols() == 0) return;
  const Vector diagonal = part_->mass.diagonal();
  for (Eigen::Index k = 0; k < motions.cols(); ++k) {
    const double mass = zeroModes_.col(k).dot(momenta_.col(k));
    const double most = zeroModes_.col(k).cwiseAbs2().dot(diagonal);
    if (!(mass > kNoMassShare * most)) throwMasslessMotionError(*part_, zeroModes_.col(k), scale_);
    zeroModes_.col(k) /= std::sqrt(mass);
    momenta_.col(k) /= std::sqrt(mass);
  }
  for (int pass = 0; pass < 2; ++pass) {
    const Matrix gram = zeroModes_.transpose() * momenta_;
    const Eigen::LLT<Matrix> cholesky(gram);
    if (cholesky.info() != Eigen::Success ||
        cholesky.matrixLLT().diagonal().minCoeff() < std::sqrt(kNoMassShare)) {
      const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram);
      throwMasslessMotionError(*part_, zeroModes_ * solver.eigenvectors().col(0), scale_);
    }
    if (gram.isIdentity(kMachineEpsilon))
      // Motions that are already orthonormal are not changed at all.
      break;
    cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(zeroModes_);
    momenta_ = part_->mass * zeroModes_;
  }
}

void ElasticInverse::solve(Eigen::Ref<Matrix> columns) const {
  const bool free = zeroModes_.cols() > 0;
  if (free) columns.noalias() -= momenta_ * (zeroModes_.transpose() * columns);
  columns = scale_.asDiagonal() * columns;
  solveWithFixedDofs(columns, held_, *factor_);
  columns = scale_.asDiagonal() * columns;
  if (free) columns.noalias() -= zeroModes_ * (momenta_.transpose() * columns);
}

StructureInverse::StructureInverse(const PhysicalModel& model) {
  for (StructurePart& each : partsOfStructure(model)) {
    const auto part = std::make_shared<const StructurePart>(std::move(each));
    pieces_.push_back({part->rows, std::make_shared<const ElasticInverse>(part, model.rounding)});
  }
}

namespace {

Vector loadOnRows(const std::vector<int>& rows, const Vector& load) {
  Vector own(static_cast<Eigen::Index>(rows.size()));
  for (Eigen::Index i = 0; i < own.size(); ++i) own[i] = load[rows[static_cast<std::size_t>(i)]];
  return own;
}

}  // namespace

Vector StructureInverse::elasticResponse(const Vector& load) const {
  Vector response = Vector::Zero(load.size());
  for (const Piece& piece : pieces_) {
    Vector own = loadOnRows(piece.rows, load);
    if (own.isZero(0.0)) continue;
    piece.inverse->solve(own);
    for (Eigen::Index i = 0; i < own.size(); ++i) response[piece.rows[static_cast<std::size_t>(i)]] = own[i];
  }
  return response;
}

bool StructureInverse::doesLoadExciteZeroModes(const Vector& load, const Vector& made) const {
  constexpr double kBalanced = 1e-9;
  for (const Piece& piece : pieces_) {
    const Vector own = loadOnRows(piece.rows, load), terms = loadOnRows(piece.rows, made).cwiseAbs();
    for (const auto motion : piece.inverse->zeroModes().colwise())
      if (std::abs(motion.dot(own)) > kBalanced * motion.cwiseAbs().dot(terms)) return true;
  }
  return false;
}

bool StructureInverse::doesLoadActOnUnconstrainedPart(const Vector& load) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return piece.inverse->zeroModes().cols() > 0 && !loadOnRows(piece.rows, load).isZero(0.0);
  });
}

}  // namespace ricochet
