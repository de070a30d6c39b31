#include "modal/solvers/dense_modes.hpp"

#include "modal/solvers/basis_error.hpp"
#include "modal/solvers/massless_motion.hpp"
#include "modal/solvers/structure_parts.hpp"
#include "modal/solvers/symmetric_factor.hpp"
#include "physical/dense_solvers.hpp"
#include "physical/sparse.hpp"

#include <algorithm>
#include <vector>

namespace ricochet {
namespace {

// an eigenvalue of the scaled M below this limit is the rounding error of a singular block
constexpr double kNoMass = 1e-12;

/// Limit of the eigenvalues of the scaled M, if the entries of M have the relative error `rounding`.
double zeroMassLimit(double rounding) {
  // number of rounding errors: a block of twelve rows accumulates a few of them
  constexpr double kRoundings = 10.0;
  return std::max(kNoMass, kRoundings * rounding);
}

/// Number of eigenvalues of a symmetric matrix below a value, by Sylvester's law of inertia.
int countEigenvaluesBelow(SparseMatrix block, const Elimination& elimination, double value) {
  for (Eigen::Index i = 0; i < block.rows(); ++i) block.coeffRef(i, i) -= value;
  const auto inertia = elimination.inertia(block, 0.0);
  if (!inertia) throw BasisError("the mass matrix could not be factorized");
  return inertia->negative;
}

int rankOfMassBlock(const SparseMatrix& mass, const std::vector<int>& group, const Elimination* elimination,
                    double limit, std::vector<int>& local) {
  constexpr const char* kNegative = "the mass matrix has a negative eigenvalue";
  const auto n = static_cast<int>(group.size());
  if (n == 1) {
    if (mass.coeff(group[0], group[0]) < 0.0) throw BasisError(kNegative);
    return 1;
  }
  SparseMatrix block = extractSubmatrix(group, mass, local);
  const Vector scale = scaleFactorsToUnitDiagonal(block.diagonal());
  block = scale.asDiagonal() * block * scale.asDiagonal();
  constexpr int kDense = 12;
  if (n <= kDense) {
    const Vector eigenvalues =
        Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(block), Eigen::EigenvaluesOnly).eigenvalues();
    if (eigenvalues.minCoeff() < -limit) throw BasisError(kNegative);
    return static_cast<int>((eigenvalues.array() > limit).count());
  }
  const Elimination own =
      elimination != nullptr ? elimination->restrictOrderToRows(group) : Elimination(block);
  const int without = countEigenvaluesBelow(block, own, limit);
  if (without > 0 && countEigenvaluesBelow(block, own, -limit) > 0) throw BasisError(kNegative);
  return n - without;
}

/// Solves with massless coordinates z condensed statically, K_zz z = -K_zy y: x = S (Q_y D_y^-1/2 y + Q_z z)
/// makes x^t M x = y^t y.
Eigenpairs eigenpairsByStaticCondensation(const Matrix& k, const Matrix& m, const Vector& scale,
                                          double limit) {
  Matrix scaledMass = scale.asDiagonal() * m;
  scaledMass *= scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> masses(scaledMass);
  const Eigen::Index massless = (masses.eigenvalues().array() <= limit).count();
  const Eigen::Index massive = m.rows() - massless;
  const Matrix z = scale.asDiagonal() * masses.eigenvectors().leftCols(massless);
  Matrix y = scale.asDiagonal() * masses.eigenvectors().rightCols(massive);
  y *= masses.eigenvalues().tail(massive).cwiseSqrt().cwiseInverse().asDiagonal();
  const Matrix forces = z.transpose() * k;
  const Eigen::LDLT<Matrix> within(Matrix(forces * z));
  if (within.info() != Eigen::Success || !within.isPositive() || within.vectorD().minCoeff() <= 0.0)
    throw BasisError(kUndetermined);
  const Matrix followed = within.solve(Matrix(forces * y));
  const Matrix shapes = y - z * followed;
  const Matrix strained = y.transpose() * k;
  const Matrix condensed = strained * shapes;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(0.5 * (condensed + condensed.transpose())));
  if (solver.info() != Eigen::Success) throw BasisError("the dense eigenvalue solver did not converge");
  return {solver.eigenvalues(), shapes * solver.eigenvectors()};
}

}  // namespace

Eigenpairs eigenpairsByDenseSolver(const SparseMatrix& stiffness, const SparseMatrix& mass, double rounding) {
  const Matrix k(stiffness), m(mass);
  if (rankOfMassMatrix(mass, rounding) < mass.rows())
    return eigenpairsByStaticCondensation(k, m, scaleFactorsToUnitDiagonal(mass.diagonal()),
                                          zeroMassLimit(rounding));
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(k, m);
  if (solver.info() != Eigen::Success) throw BasisError("the dense eigenvalue solver did not converge");
  return {solver.eigenvalues(), solver.eigenvectors()};
}

int rankOfMassMatrix(const SparseMatrix& mass, double rounding, const Elimination* elimination) {
  const double limit = zeroMassLimit(rounding);
  CoupledRows coupled(mass.rows());
  coupled.coupleRowsOfMatrix(mass);
  std::vector<int> local(static_cast<std::size_t>(mass.rows()));
  int rank = 0;
  for (const std::vector<int>& group : coupled.setsOfCoupledRows())
    if (group.size() > 1 || mass.coeff(group[0], group[0]) != 0.0)
      rank += rankOfMassBlock(mass, group, elimination, limit, local);
  return rank;
}

}  // namespace ricochet
