#include "modal/residual_vectors.hpp"

#include "modal/basis_limits.hpp"
#include "modal/basis_properties.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/solvers/dense_modes.hpp"
#include "modal/static_remainder.hpp"
#include "physical/sparse.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <string>

namespace ricochet {
namespace {

constexpr double kNegligible = 1e-12;    // residual flexibility over that of the direction: nothing to gain
constexpr double kDependent = 1e-10;     // strain energy of what a response adds to the others, of its own
constexpr double kMassless = 1e4;        // times k_ii / m_ii of the stiffest dof: moves no mass to speak of
constexpr double kRounding = 1e-13;      // of the largest: eigenvalues of a small matrix below are rounding
constexpr double kCouplingLimit = 1e-6;  // |phi^t K r| / (r^t K r): as for the residuals of modes

[[noreturn]] void refuseOmittedRigidModes(const ModalBasis& basis) {
  throw BasisError("residual vectors need every rigid-body mode in the basis: take " +
                   std::to_string(basis.size() + basis.missedModes) + " modes at least, not " +
                   std::to_string(basis.size()));
}

/// Symmetric up to rounding: V^t A V.
Matrix gram(const SparseMatrix& matrix, const Matrix& vectors) {
  const Matrix product = vectors.transpose() * (matrix * vectors);
  return 0.5 * (product + product.transpose());
}

Eigenpairs eigenpairsOf(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  if (solver.info() != Eigen::Success) throw BasisError("the residual vectors could not be diagonalised");
  return {solver.eigenvalues(), solver.eigenvectors()};
}

/// Takes the modes out of `vectors`, in the scalar product of M; twice, against the rounding of the first.
void orthogonalise(const Matrix& modes, const SparseMatrix& mass, Matrix& vectors) {
  for (int pass = 0; pass < 2; ++pass) vectors -= modes * (modes.transpose() * (mass * vectors));
}

/// Flexibility along a direction to compare with [m/N]: of the elastic modes, or that of one pushed dof with
/// all others held, b_i^2 / k_ii <= b^t K^-1 b.
double flexibilityAlong(const Vector& direction, const ModalBasis& basis, const PhysicalModel& model) {
  double flexibility = 0.0;
  const Vector rows = basis.reducedShapes.transpose() * direction;
  for (Eigen::Index i = 0; i < basis.size(); ++i)
    if (basis.eigenvalue[i] > 0.0) flexibility += rows[i] * rows[i] / basis.eigenvalue[i];
  const Vector stiffness = model.stiffness.diagonal();
  double oneDof = 0.0;
  for (Eigen::Index i = 0; i < direction.size(); ++i)
    if (stiffness[i] > 0.0) oneDof = std::max(oneDof, direction[i] * direction[i] / stiffness[i]);
  return std::max(flexibility, oneDof);
}

/// The static responses that the modes leave out, M-orthogonal to them, each of strain energy 1/2.
Matrix staticResponses(const ModalBasis& basis, const PhysicalModel& model,
                       const std::vector<Vector>& directions) {
  const StaticRemainder remainder(basis, model);
  Matrix responses(model.size(), static_cast<Eigen::Index>(directions.size()));
  Eigen::Index kept = 0;
  for (const Vector& direction : directions) {
    const std::optional<Vector> response = remainder.response(direction);
    if (!response) refuseOmittedRigidModes(basis);
    Matrix r = *response;
    orthogonalise(basis.reducedShapes, model.mass, r);
    const double flexibility = gram(model.stiffness, r)(0, 0);
    if (flexibility > kNegligible * flexibilityAlong(direction, basis, model))
      responses.col(kept++) = r / std::sqrt(flexibility);
  }
  return responses.leftCols(kept);
}

/// Combinations of the responses that are independent: Y^t K Y = I.
Matrix independentOf(const Matrix& responses, const PhysicalModel& model) {
  const Eigenpairs energy = eigenpairsOf(gram(model.stiffness, responses));
  const Eigen::Index independent =
      (energy.values.array() > kDependent * energy.values[energy.values.size() - 1]).count();
  return responses * energy.vectors.rightCols(independent) *
         energy.values.tail(independent).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Of K-orthonormal vectors, the combinations that move mass; those that do not are counted.
Matrix massiveOf(const Matrix& vectors, const PhysicalModel& model, int& massless) {
  const Eigenpairs inertia = eigenpairsOf(gram(model.mass, vectors));  // 1 / omega^2
  const double stiffest = localOscillators(model.stiffness, model.mass).back();
  const double least = std::max(1.0 / (kMassless * stiffest), kRounding * inertia.values.maxCoeff());
  const Eigen::Index massive = (inertia.values.array() > least).count();
  massless = static_cast<int>(vectors.cols() - massive);
  return vectors * inertia.vectors.rightCols(massive) *
         inertia.values.tail(massive).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Eigenpairs of V^t K V, increasing: singular values of its Cholesky factor by Jacobi rotations, which are
/// accurate against themselves however far the frequencies spread (Demmel, Veselic, SIAM J. Matrix Anal.
/// Appl. 13 (1992) 1204-1245).
Eigenpairs gradedEigenpairs(const Matrix& stiffness) {
  const Eigen::LLT<Matrix> cholesky(stiffness);
  if (cholesky.info() != Eigen::Success) throw BasisError("the residual vectors have no stiffness");
  const Eigen::JacobiSVD<Matrix> factor(Matrix(cholesky.matrixU()), Eigen::ComputeFullV);
  return {factor.singularValues().reverse().cwiseAbs2(), factor.matrixV().rowwise().reverse()};
}

/// Rayleigh-Ritz within the vectors: M-orthonormal, K-orthogonal, by increasing omega^2. The first pass is
/// exact but for the spread of the frequencies, the second removes its rounding.
Eigenpairs diagonalised(Matrix vectors, const ModalBasis& basis, const PhysicalModel& model) {
  Eigenpairs pairs;
  for (int pass = 0; pass < 2; ++pass) {
    orthogonalise(basis.reducedShapes, model.mass, vectors);
    const Eigen::LLT<Matrix> cholesky(gram(model.mass, vectors));
    if (cholesky.info() != Eigen::Success) throw BasisError("the residual vectors are not independent");
    cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(vectors);
    pairs = gradedEigenpairs(gram(model.stiffness, vectors));
    pairs.vectors = vectors = Matrix(vectors * pairs.vectors);
  }
  return pairs;
}

/// The modes are exact enough for phi^t M r = 0 to mean phi^t K r = 0.
void requireUncoupled(const Eigenpairs& added, const ModalBasis& basis, const PhysicalModel& model) {
  const Matrix coupling = basis.reducedShapes.transpose() * (model.stiffness * added.vectors);
  for (Eigen::Index j = 0; j < coupling.cols(); ++j)
    if (coupling.col(j).cwiseAbs().maxCoeff() > kCouplingLimit * added.values[j])
      throw BasisError("the residual vectors couple with the modes: the structure may be ill-conditioned");
}

void append(const Eigenpairs& added, ModalBasis& basis) {
  const Eigen::Index modes = basis.size(), all = modes + added.values.size();
  basis.eigenvalue.conservativeResize(all);
  // above the last mode but for rounding, by the minimum property of eigenvalues
  basis.eigenvalue.tail(added.values.size()) = added.values.cwiseMax(basis.eigenvalue[modes - 1]);
  basis.reducedShapes.conservativeResize(Eigen::NoChange, all);
  basis.reducedShapes.rightCols(added.values.size()) = added.vectors;
  basis.residualVectors = static_cast<int>(added.values.size());
}

}  // namespace

void addResidualVectors(ModalBasis& basis, const PhysicalModel& model,
                        const std::vector<Vector>& directions) {
  assert(basis.residualVectors == 0);
  std::vector<Vector> pushed;
  std::copy_if(directions.begin(), directions.end(), std::back_inserter(pushed),
               [](const Vector& direction) { return !direction.isZero(0.0); });
  if (pushed.empty() || basis.size() == model.size()) return;
  if (basis.missedModes > 0 && basis.eigenvalue[basis.size() - 1] == 0.0) refuseOmittedRigidModes(basis);

  const Matrix responses = staticResponses(basis, model, pushed);
  if (responses.cols() == 0) return;
  const Matrix massive = massiveOf(independentOf(responses, model), model, basis.masslessResponses);
  if (massive.cols() == 0) return;
  Eigenpairs added = diagonalised(massive, basis, model);
  requireUncoupled(added, basis, model);
  fixSigns(added.vectors);
  append(added, basis);
  basis.complete = basis.size() >= massRank(model.mass);
  setProperties(model, basis);
}

}  // namespace ricochet
