#include "modal/dense_modes.hpp"

#include "modal/eigen_solver.hpp"
#include "physical/sparse.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <numeric>
#include <vector>

namespace ricochet {
namespace {

constexpr double kNoMass = 1e-12;  // eigenvalue of M scaled to a unit diagonal: rounding of a singular block

/// 1 / sqrt(m_ii), and 1 for a massless dof: makes the rank of M independent of the units of its rows.
Vector massScale(const Vector& diagonal) {
  return diagonal.unaryExpr([](double m) { return m > 0.0 ? 1.0 / std::sqrt(m) : 1.0; });
}

/// Groups of dofs that M couples; dofs without any entry form no group.
std::vector<std::vector<int>> coupledByMass(const SparseMatrix& mass) {
  std::vector<int> parent(static_cast<std::size_t>(mass.rows()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto at = [&](Eigen::Index i) -> int& { return parent[static_cast<std::size_t>(i)]; };
  const auto root = [&](Eigen::Index i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return static_cast<int>(i);
  };
  std::vector<bool> present(parent.size(), false);
  for (int j = 0; j < mass.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(mass, j); entry; ++entry)
      if (entry.value() != 0.0) {
        present[static_cast<std::size_t>(entry.row())] = true;
        at(root(entry.row())) = root(entry.col());
      }
  std::vector<std::vector<int>> groups(parent.size());
  for (int i = 0; i < static_cast<int>(parent.size()); ++i)
    if (present[static_cast<std::size_t>(i)]) groups[static_cast<std::size_t>(root(i))].push_back(i);
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

int blockRank(const SparseMatrix& mass, const std::vector<int>& group) {
  const auto n = static_cast<Eigen::Index>(group.size());
  constexpr Eigen::Index kLargestBlock =
      1000;  // beyond it is the consistent mass of a continuum, which is definite
  if (n > kLargestBlock) return static_cast<int>(n);
  Matrix block(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      block(i, j) = mass.coeff(group[static_cast<std::size_t>(i)], group[static_cast<std::size_t>(j)]);
  const Vector scale = massScale(block.diagonal());
  block = Matrix(scale.asDiagonal() * block * scale.asDiagonal());
  const Vector eigenvalues =
      Eigen::SelfAdjointEigenSolver<Matrix>(block, Eigen::EigenvaluesOnly).eigenvalues();
  if (eigenvalues.minCoeff() < -kNoMass) throw BasisError("the mass matrix has a negative eigenvalue");
  return static_cast<int>((eigenvalues.array() > kNoMass).count());
}

/// x = S (Q_y D_y^-1/2 y + Q_z z) makes x^t M x = y^t y; the massless z follow y, K_zz z = -K_zy y.
Eigenpairs solveCondensed(const Matrix& k, const Matrix& m, const Vector& scale) {
  const Eigen::SelfAdjointEigenSolver<Matrix> masses(Matrix(scale.asDiagonal() * m * scale.asDiagonal()));
  const Eigen::Index massless = (masses.eigenvalues().array() <= kNoMass).count();
  const Eigen::Index massive = m.rows() - massless;
  const Matrix z = scale.asDiagonal() * masses.eigenvectors().leftCols(massless);
  const Matrix y = scale.asDiagonal() * masses.eigenvectors().rightCols(massive) *
                   masses.eigenvalues().tail(massive).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::LDLT<Matrix> within(z.transpose() * k * z);
  if (within.info() != Eigen::Success || !within.isPositive() || within.vectorD().minCoeff() <= 0.0)
    throw BasisError("some massless degrees of freedom have no stiffness in a direction");
  const Matrix shapes = y - z * within.solve(z.transpose() * k * y);
  const Matrix condensed = y.transpose() * k * shapes;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (condensed + condensed.transpose()));
  if (solver.info() != Eigen::Success) throw BasisError("the dense eigenvalue solver did not converge");
  return {solver.eigenvalues(), shapes * solver.eigenvectors()};
}

}  // namespace

Eigenpairs solveDense(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  const Matrix k(stiffness), m(mass);
  if (massRank(mass) < mass.rows()) return solveCondensed(k, m, massScale(mass.diagonal()));
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(k, m);
  if (solver.info() != Eigen::Success) throw BasisError("the dense eigenvalue solver did not converge");
  return {solver.eigenvalues(), solver.eigenvectors()};
}

int massRank(const SparseMatrix& mass) {
  int rank = 0;
  for (const std::vector<int>& group : coupledByMass(mass)) rank += blockRank(mass, group);
  return rank;
}

}  // namespace ricochet
