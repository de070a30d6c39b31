#include "modal/part_modes.hpp"

#include "modal/eigen_solver.hpp"
#include "modal/solvers/block_lanczos.hpp"
#include "physical/dense_solvers.hpp"

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

// largest size for the dense solver: a complete basis costs about 10 n^3 flops, a few minutes at this size
constexpr int kLargestDense = 4000;
constexpr int kDenseAtLast = 1500;  // size for the dense solver as a last resort: some seconds
constexpr int kAlwaysDense = 48;    // up to this size the dense solver is faster than Lanczos iterations
// If the factor has more entries, the columns of a block should share a pass over the factor.
constexpr double kLargeFactor = 2e6;
constexpr double kGap = 1e-6;  // smallest relative distance of different eigenvalues

/// The vectors that should span a space of modes are linearly dependent.
class DependentModes : public BasisError {
 public:
  DependentModes() : BasisError("the computed modes are not independent") {}
};

/// Scales for M and K^+ M so that both are near 1, because the tolerances of Spectra are absolute.
struct LanczosUnits {
  double mass{1.0};        ///< unit of mass [kg]
  double eigenvalue{1.0};  ///< unit of the eigenvalues [rad^2/s^2]
};

LanczosUnits unitsForLanczos(const ElasticInverse& inverse) {
  const SparseMatrix& mass = inverse.part().mass;
  const auto norm = [&](const Vector& v) { return std::sqrt(v.dot(mass * v)); };
  Vector x = inverse.elasticResponse(mass * Vector::LinSpaced(mass.rows(), 1.0, 2.0));
  double largest = 0.0;
  constexpr int kPowerIterations = 5;
  for (int i = 0; i < kPowerIterations; ++i) {
    const double length = norm(x);
    if (!(length > 0.0)) break;
    x = inverse.elasticResponse(mass * x / length);
    largest = norm(x);
  }
  return {mass.diagonal().maxCoeff(), largest > 0.0 ? 1.0 / largest : 1.0};
}

/// Operator K^+ for Spectra (which prescribes the names of the members).
class InverseProduct {
 public:
  using Scalar = double;
  InverseProduct(const ElasticInverse& inverse, const LanczosUnits& units)
      : inverse_(&inverse), unit_(units.mass * units.eigenvalue) {}
  Eigen::Index rows() const { return inverse_->size(); }  // NOLINT(readability-identifier-naming)
  Eigen::Index cols() const { return inverse_->size(); }  // NOLINT(readability-identifier-naming)
  void set_shift(double) {}                               // NOLINT(readability-identifier-naming)
  void perform_op(const double* x, double* y) const {     // NOLINT(readability-identifier-naming)
    Eigen::Map<Matrix> result(y, rows(), 1);
    result = unit_ * Eigen::Map<const Vector>(x, rows());
    inverse_->solve(result);
  }

 private:
  const ElasticInverse* inverse_;
  double unit_;
};

/// Operator y = M x for Spectra.
class MassProduct {
 public:
  using Scalar = double;
  MassProduct(const SparseMatrix& mass, const LanczosUnits& units) : mass_(&mass), unit_(units.mass) {}
  Eigen::Index rows() const { return mass_->rows(); }  // NOLINT(readability-identifier-naming)
  Eigen::Index cols() const { return mass_->cols(); }  // NOLINT(readability-identifier-naming)
  void perform_op(const double* x, double* y) const {  // NOLINT(readability-identifier-naming)
    Eigen::Map<Vector>(y, rows()) = *mass_ * Eigen::Map<const Vector>(x, rows()) / unit_;
  }

 private:
  const SparseMatrix* mass_;
  double unit_;
};

/// The lowest `modes` eigenvectors by Spectra's Lanczos iteration; empty if the iteration did not converge.
std::optional<Matrix> lanczosVectors(const ElasticInverse& inverse, int modes, int subspace) {
  const LanczosUnits units = unitsForLanczos(inverse);
  InverseProduct product(inverse, units);
  MassProduct mass(inverse.part().mass, units);
  Spectra::SymGEigsShiftSolver<InverseProduct, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
      product, mass, modes, subspace, 0.0);
  constexpr int kIterations = 1000;
  constexpr double kTolerance = 1e-13;
  try {
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, kIterations, kTolerance, Spectra::SortRule::SmallestAlge);
  } catch (const BasisError&) {  // the factorization throws BasisError for a singular matrix
    throw;
  } catch (const std::exception&) {  // thrown by Spectra for a projected problem without solution
    return std::nullopt;
  }
  if (solver.info() != Spectra::CompInfo::Successful) return std::nullopt;
  return Matrix(solver.eigenvectors());
}

/// Rayleigh-Ritz vectors of the inverse within a space: eigenvectors of H = X^t M K^+ M X against X^t M X for
/// the `count` largest 1/omega^2.
Matrix ritzVectorsOfInverse(const ElasticInverse& inverse, const Matrix& space, Eigen::Index count) {
  const Matrix momenta = inverse.part().mass * space;
  Matrix responses = momenta;
  inverse.solve(responses);
  const Matrix flexibility = momenta.transpose() * responses, gram = space.transpose() * momenta;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(0.5 * (flexibility + flexibility.transpose()),
                                                                0.5 * (gram + gram.transpose()));
  if (solver.info() != Eigen::Success) throw DependentModes();
  return responses * solver.eigenvectors().rightCols(count).rowwise().reverse();
}

}  // namespace

PartModes::PartModes(const std::shared_ptr<const StructurePart>& part, double rounding)
    : part_(part), rounding_(rounding), inverse_(std::make_shared<const ElasticInverse>(part, rounding)) {
  elastic_ =
      rankOfMassMatrix(part->mass, rounding, &inverse_->elimination()) - static_cast<int>(zeroModes().cols());
  if (elastic_ < 0) throw BasisError("more motions without strain than there are masses");
  found_.vectors.resize(part->size(), 0);
  if (elastic_ == 0) reach_ = std::numeric_limits<double>::infinity();
}

/// M-orthonormalises the vectors, starting with the lowest mode, and computes their Rayleigh quotients.
///
/// The first `soft` vectors are first improved by an inverse iteration Y = K^+ M X, which removes components
/// of stiff modes left by rounding. Since K Y = M X for elastic motions, their quotients are Y^t M X over Y^t
/// M Y: this avoids products with K, whose terms cancel in a long slender part.
Eigenpairs PartModes::refineByInverseIteration(Matrix vectors, Eigen::Index soft) const {
  const SparseMatrix& mass = part_->mass;
  const Eigen::Index stiff = vectors.cols() - soft;
  const auto lengthOf = [&](const auto& x) {
    const double length = std::sqrt(x.dot(mass * x));
    if (!(length > 0.0) || !std::isfinite(length)) throw DependentModes();
    return length;
  };
  for (auto x : vectors.colwise()) x /= lengthOf(x);
  Matrix forces(vectors.rows(), vectors.cols());  // K times the vectors
  forces.leftCols(soft) = mass * vectors.leftCols(soft);
  vectors.leftCols(soft) = forces.leftCols(soft);
  inverse_->solve(vectors.leftCols(soft));
  forces.rightCols(stiff) = part_->stiffness * vectors.rightCols(stiff);
  for (Eigen::Index i = 0; i < soft; ++i) {  // the vectors Y have length 1 / omega^2
    const double length = lengthOf(vectors.col(i));
    vectors.col(i) /= length;
    forces.col(i) /= length;
  }
  // Computes V L^-t with V^t M V = L L^t; repeated while the rounding error of the last pass is visible.
  constexpr int kPasses = 6;
  const double exact = 4.0 * kMachineEpsilon * std::sqrt(static_cast<double>(vectors.rows()));
  for (int pass = 0; pass < kPasses; ++pass) {
    const Matrix gram = vectors.transpose() * (mass * vectors);
    if ((gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() <= exact) break;
    const Eigen::LLT<Matrix> cholesky(gram);
    if (cholesky.info() != Eigen::Success) throw DependentModes();
    cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(vectors);
    cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(forces);
  }
  Vector quotients = vectors.cwiseProduct(forces).colwise().sum();
  const Matrix strained = part_->stiffness * vectors;
  const Vector products = vectors.cwiseProduct(strained).colwise().sum();
  const SparseMatrix sizes = part_->stiffness.cwiseAbs();
  const Vector terms = vectors.cwiseAbs().cwiseProduct(sizes * vectors.cwiseAbs()).colwise().sum();
  // few terms with little cancellation: the product is as accurate as possible
  constexpr double kFewTerms = 16.0;
  for (Eigen::Index i = 0; i < quotients.size(); ++i)
    if (terms[i] <= kFewTerms * products[i]) quotients[i] = products[i];
  std::vector<Eigen::Index> order(static_cast<std::size_t>(quotients.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return quotients[a] < quotients[b]; });
  return {Vector(quotients(order)), Matrix(vectors(Eigen::all, order))};
}

/// All modes by the dense solver, whose errors are relative to the stiffest mode. Modes that these errors may
/// have mixed, with each other or with zero modes, are separated by the inverse.
Eigenpairs PartModes::computeAllModesDensely() const {
  const Eigenpairs all = eigenpairsByDenseSolver(part_->stiffness, part_->mass, rounding_);
  const Eigen::Index zeros = zeroModes().cols(), count = all.values.size();
  constexpr double kBlurred = 1e-9;
  const double largest = count > 0 ? all.values.cwiseAbs().maxCoeff() : 0.0;
  const Eigen::Index low = std::max<Eigen::Index>(zeros, (all.values.array() <= kBlurred * largest).count());
  if (count - zeros != elastic_)
    throw BasisError("the dense eigenvalue solver and the rank of the mass differ");
  Matrix vectors(part_->size(), elastic_);
  if (low > zeros)
    vectors.leftCols(low - zeros) = ritzVectorsOfInverse(*inverse_, all.vectors.leftCols(low), low - zeros);
  auto stiff = vectors.rightCols(count - low);
  stiff = all.vectors.rightCols(count - low);
  if (zeros > 0) stiff -= zeroModes() * (zeroModes().transpose() * (part_->mass * stiff));
  return refineByInverseIteration(std::move(vectors), low - zeros);
}

/// The lowest modes; later attempts use a larger subspace and another start vector.
Eigenpairs PartModes::lowestModes(int count, int attempt) const {
  if (inverse_->factorEntryCount() > kLargeFactor) {
    BlockLanczosOptions options;
    options.room *= attempt + 1;
    options.seed += static_cast<unsigned>(attempt);
    if (const auto pairs = lowestModesByBlockLanczos(*inverse_, count, elastic_, options))
      return refineByInverseIteration(ritzVectorsOfInverse(*inverse_, pairs->vectors, count), count);
  }
  constexpr std::array kRoom{20, 60, 180};
  const int subspace = std::max(2 * count, count + kRoom[static_cast<std::size_t>(attempt)]);
  const auto vectors = lanczosVectors(*inverse_, count, std::min(elastic_, subspace));
  if (!vectors) return {};
  return refineByInverseIteration(ritzVectorsOfInverse(*inverse_, *vectors, count), count);
}

/// The lowest modes, or no modes if the computed vectors are linearly dependent.
Eigenpairs PartModes::lowestModesOrNone(int count, int attempt) const {
  try {
    return lowestModes(count, attempt);
  } catch (const DependentModes&) {
    return {};
  }
}

int PartModes::countEigenvaluesBelow(double eigenvalue) const {
  if (eigenvalue <= 0.0) return 0;  // the elastic inverse guarantees that no elastic eigenvalue is negative
  double tried = eigenvalue;
  for (const double step : {0.0, 1e-13, 1e-12, 1e-11, 1e-10}) {
    // A vanishing pivot (an eigenvalue of the structure or of a part) is avoided by a slightly lower value.
    tried = eigenvalue - step * std::abs(eigenvalue);
    SparseMatrix shifted = part_->stiffness - tried * part_->mass;
    const Vector size = part_->stiffness.diagonal().cwiseAbs() + std::abs(tried) * part_->mass.diagonal();
    const Vector scale = scaleFactorsToUnitDiagonal(size);
    shifted = scale.asDiagonal() * shifted * scale.asDiagonal();
    const auto inertia = inverse_->elimination().inertia(shifted, kMachineEpsilon);
    if (inertia && inertia->tinyRows.empty()) return inertia->negative;
  }
  throw BasisError("the modes below " + std::to_string(std::sqrt(std::abs(eigenvalue))) +
                   " rad/s could not be counted");
}

/// True if the number of modes below `limit` equals `below`. A mode whose eigenvalue could cross the limit by
/// rounding errors of K, |x|^t |K| |x| eps, may be on either side.
bool PartModes::hasExpectedModeCount(const Eigenpairs& pairs, Eigen::Index below, double limit) const {
  const Eigen::Index zeros = zeroModes().cols();
  const Eigen::Index all = zeros + below;
  const int count = countEigenvaluesBelow(limit);
  if (count == all) return true;
  if (count > all) return false;
  const SparseMatrix sizes = part_->stiffness.cwiseAbs();
  const double roundings = 64.0 * std::max(rounding_, kMachineEpsilon);
  Eigen::Index unsure = 0;
  const auto look = [&](const auto& x, double value) {
    const Vector size = x.cwiseAbs();
    if (roundings * size.dot(sizes * size) >= limit - value) ++unsure;
  };
  for (const auto x : zeroModes().colwise()) look(x, 0.0);
  for (Eigen::Index i = 0; i < below; ++i) look(pairs.vectors.col(i), pairs.values[i]);
  return count >= all - unsure;
}

void PartModes::findModes(int wanted) {
  wanted = std::min(wanted, elastic_);
  if (found_.values.size() >= wanted) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr int kAttempts = 3, kExtra = 4;
  int extra = kExtra, attempt = 0;
  const auto takeAll = [&] {
    found_ = computeAllModesDensely();
    reach_ = kInfinity;
  };
  while (attempt < kAttempts) {
    const int count = std::min(elastic_, wanted + extra);
    if (part_->size() <= kAlwaysDense || 2 * count > elastic_) {
      if (part_->size() > kLargestDense)
        throw BasisError("more than half of the modes of a structure of " + std::to_string(part_->size()) +
                         " degrees of freedom: ask for fewer than " + std::to_string(part_->size() / 2));
      return takeAll();
    }
    Eigenpairs pairs = lowestModesOrNone(count, attempt);
    if (pairs.values.size() < count) {
      ++attempt;
      continue;
    }
    Eigen::Index last = wanted;
    while (last < count && pairs.values[last] - pairs.values[last - 1] <= kGap * pairs.values[last]) ++last;
    if (last == count) {  // a group of equal frequencies is not complete
      extra *= 2;
      continue;
    }
    const double limit = 0.5 * (pairs.values[last - 1] + pairs.values[last]);
    if (!hasExpectedModeCount(pairs, last, limit)) {
      ++attempt;
      continue;
    }
    found_ = {pairs.values.head(last), pairs.vectors.leftCols(last)};
    reach_ = limit;
    return;
  }
  // The frequencies are too far apart for a Krylov subspace, or too close to rounding for the inertia count.
  if (part_->size() <= kDenseAtLast) return takeAll();
  throw BasisError(
      "the Lanczos iteration did not find all modes, or rounding keeps them from being counted; ask "
      "for a few more or fewer modes");
}

void PartModes::findModesBelow(double eigenvalue) {
  if (reach_ > eigenvalue) return;
  findModes(std::max(0, countEigenvaluesBelow(eigenvalue) - static_cast<int>(zeroModes().cols())));
  while (reach_ <= eigenvalue) findModes(static_cast<int>(found_.values.size()) + 1);
}

}  // namespace ricochet
