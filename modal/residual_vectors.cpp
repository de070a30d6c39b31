#include "modal/residual_vectors.hpp"

#include "modal/basis_limits.hpp"
#include "modal/basis_properties.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/solvers/dense_modes.hpp"
#include "modal/static_remainder.hpp"
#include "physical/dense_solvers.hpp"
#include "physical/sparse.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <string>

namespace ricochet {
namespace {

// a residual flexibility below this fraction of the flexibility along the direction is negligible, and its
// vector is not added
constexpr double kNegligible = 1e-12;
// smallest strain energy that an independent response adds, relative to its own
constexpr double kDependent = 1e-10;
// a response counts as massless if its k/m exceeds the largest k_ii / m_ii of a dof by this factor
constexpr double kMassless = 1e4;
// eigenvalues of a small matrix below this fraction of the largest are rounding errors
constexpr double kRounding = 1e-13;
constexpr double kCouplingLimit = 1e-6;  // limit of |phi^t K r| / (r^t K r), as for the residuals of modes

[[noreturn]] void requireAllRigidBodyModes(const ModalBasis& basis) {
  throw BasisError("residual vectors need every rigid-body mode in the basis: take " +
                   std::to_string(basis.size() + basis.missedModes) + " modes at least, not " +
                   std::to_string(basis.size()));
}

/// Gram matrix V^t A V of vectors V, made exactly symmetric.
Matrix gramMatrix(const SparseMatrix& matrix, const Matrix& vectors) {
  const Matrix product = vectors.transpose() * (matrix * vectors);
  return 0.5 * (product + product.transpose());
}

Eigenpairs eigenpairsOfSymmetricMatrix(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  if (solver.info() != Eigen::Success) throw BasisError("the residual vectors could not be diagonalised");
  return {solver.eigenvalues(), solver.eigenvectors()};
}

/// Removes the components along the modes from `vectors`, in the scalar product of M; twice, because of
/// rounding.
void orthogonaliseToModes(const Matrix& modes, const SparseMatrix& mass, Matrix& vectors) {
  for (int pass = 0; pass < 2; ++pass) vectors -= modes * (modes.transpose() * (mass * vectors));
}

/// Flexibility along a direction, for comparison [m/N]: flexibility of the elastic modes, or of one loaded
/// dof with all others fixed, b_i^2 / k_ii <= b^t K^-1 b.
double flexibilityAlongDirection(const Vector& direction, const ModalBasis& basis,
                                 const PhysicalModel& model) {
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

/// The static responses without the modes' part, M-orthogonal to the modes, each with strain energy 1/2.
Matrix normalisedStaticResponses(const ModalBasis& basis, const PhysicalModel& model,
                                 const std::vector<Vector>& directions) {
  const StaticRemainder remainder(basis, model);
  Matrix responses(model.size(), static_cast<Eigen::Index>(directions.size()));
  Eigen::Index kept = 0;
  for (const Vector& direction : directions) {
    const std::optional<Vector> response = remainder.staticResponse(direction);
    if (!response) requireAllRigidBodyModes(basis);
    Matrix r = *response;
    orthogonaliseToModes(basis.reducedShapes, model.mass, r);
    const double flexibility = gramMatrix(model.stiffness, r)(0, 0);
    if (flexibility > kNegligible * flexibilityAlongDirection(direction, basis, model))
      responses.col(kept++) = r / std::sqrt(flexibility);
  }
  return responses.leftCols(kept);
}

/// The linearly independent combinations Y of the responses, Y^t K Y = I.
Matrix independentResponseCombinations(const Matrix& responses, const PhysicalModel& model) {
  const Eigenpairs energy = eigenpairsOfSymmetricMatrix(gramMatrix(model.stiffness, responses));
  const Eigen::Index independent =
      (energy.values.array() > kDependent * energy.values[energy.values.size() - 1]).count();
  return responses * energy.vectors.rightCols(independent) *
         energy.values.tail(independent).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// The combinations of K-orthonormal vectors that move mass; `massless` counts the other combinations.
Matrix combinationsThatMoveMass(const Matrix& vectors, const PhysicalModel& model, int& massless) {
  const Eigenpairs inertia =
      eigenpairsOfSymmetricMatrix(gramMatrix(model.mass, vectors));  // eigenvalues 1 / omega^2
  const double stiffest = squaredFrequenciesOfDofs(model.stiffness, model.mass).back();
  const double least = std::max(1.0 / (kMassless * stiffest), kRounding * inertia.values.maxCoeff());
  const Eigen::Index massive = (inertia.values.array() > least).count();
  massless = static_cast<int>(vectors.cols() - massive);
  return vectors * inertia.vectors.rightCols(massive) *
         inertia.values.tail(massive).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Eigenpairs of V^t K V, increasing, from the singular values of its Cholesky factor by Jacobi rotations,
/// each with a small relative error for any spread of the frequencies (Demmel, Veselic, SIAM J. Matrix Anal.
/// Appl. 13 (1992) 1204-1245).
Eigenpairs eigenpairsByJacobi(const Matrix& stiffness) {
  const Eigen::LLT<Matrix> cholesky(stiffness);
  if (cholesky.info() != Eigen::Success) throw BasisError("the residual vectors have no stiffness");
  const Eigen::JacobiSVD<Matrix> factor(Matrix(cholesky.matrixU()), Eigen::ComputeFullV);
  return {factor.singularValues().reverse().cwiseAbs2(), factor.matrixV().rowwise().reverse()};
}

/// Rayleigh-Ritz within the vectors: M-orthonormal, K-orthogonal, by increasing omega^2. The second pass
/// removes the rounding error of the first, which grows with the spread of the frequencies.
Eigenpairs massNormalisedRitzVectors(Matrix vectors, const ModalBasis& basis, const PhysicalModel& model) {
  Eigenpairs pairs;
  for (int pass = 0; pass < 2; ++pass) {
    orthogonaliseToModes(basis.reducedShapes, model.mass, vectors);
    const Eigen::LLT<Matrix> cholesky(gramMatrix(model.mass, vectors));
    if (cholesky.info() != Eigen::Success) throw BasisError("the residual vectors are not independent");
    cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(vectors);
    pairs = eigenpairsByJacobi(gramMatrix(model.stiffness, vectors));
    pairs.vectors = vectors = Matrix(vectors * pairs.vectors);
  }
  return pairs;
}

/// Throws unless the modes are accurate enough that phi^t M r = 0 implies phi^t K r = 0.
void requireUncoupledModes(const Eigenpairs& added, const ModalBasis& basis, const PhysicalModel& model) {
  const Matrix coupling = basis.reducedShapes.transpose() * (model.stiffness * added.vectors);
  for (Eigen::Index j = 0; j < coupling.cols(); ++j)
    if (coupling.col(j).cwiseAbs().maxCoeff() > kCouplingLimit * added.values[j])
      throw BasisError("the residual vectors couple with the modes: the structure may be ill-conditioned");
}

void appendModesToBasis(const Eigenpairs& added, ModalBasis& basis) {
  const Eigen::Index modes = basis.size(), all = modes + added.values.size();
  basis.eigenvalue.conservativeResize(all);
  // A Rayleigh quotient is not below the last mode, by the minimum property of eigenvalues; a lower value is
  // a rounding error.
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
  if (basis.missedModes > 0 && basis.eigenvalue[basis.size() - 1] == 0.0) requireAllRigidBodyModes(basis);

  const Matrix responses = normalisedStaticResponses(basis, model, pushed);
  if (responses.cols() == 0) return;
  const Matrix massive = combinationsThatMoveMass(independentResponseCombinations(responses, model), model,
                                                  basis.masslessResponses);
  if (massive.cols() == 0) return;
  Eigenpairs added = massNormalisedRitzVectors(massive, basis, model);
  requireUncoupledModes(added, basis, model);
  fixSignsOfModeShapes(added.vectors);
  appendModesToBasis(added, basis);
  basis.complete = basis.size() >= rankOfMassMatrix(model.mass);
  computeBasisProperties(model, basis);
}

}  // namespace ricochet
