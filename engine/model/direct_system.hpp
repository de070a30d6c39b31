#pragma once

#include "engine/numerics/state.hpp"
#include "modal/solvers/symmetric_factor.hpp"
#include "physical/sparse.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include <memory>

namespace ricochet {

/// The linear structure in independent physical coordinates y: M y'' + C y' + K y. SI units.
///
/// C = damping + W diag(rates) W^t. The second part is modal damping: W = M Phi (dofs x modes) and rates = 2
/// zeta omega give each mode of a basis the damping that it has in generalized coordinates, and nothing to
/// the motion outside of the basis.
struct DirectSystem {
  SparseMatrix mass;       ///< M, symmetric, positive definite
  SparseMatrix damping;    ///< perhaps unsymmetric
  SparseMatrix stiffness;  ///< K, symmetric
  Matrix dampingShapes;    ///< W; no columns without modal damping
  Vector dampingRates;     ///< positive [1/s]
  /// The order of elimination of M + C + K; none: each factorization makes its own.
  std::shared_ptr<const Elimination> elimination{};

  Eigen::Index size() const noexcept { return mass.rows(); }
  bool hasModalDamping() const noexcept { return dampingRates.size() > 0; }
  bool damped() const noexcept { return damping.nonZeros() > 0 || hasModalDamping(); }

  /// W diag(rates) W^t v [N].
  Vector modalDampingForce(const Vector& v) const {
    if (!hasModalDamping()) return Vector::Zero(v.size());
    return dampingShapes * (dampingRates.asDiagonal() * (dampingShapes.transpose() * v));
  }
};

/// A sparse factorization of M + dv C + dq K, made once and solved many times: its inverse when it is
/// diagonal, else LDL^t, or LU when C is unsymmetric. Modal damping is a change of low rank:
///
///     (A + W D W^t)^-1 = A^-1 - Z (D^-1 + W^t Z)^-1 W^t A^-1,   Z = A^-1 W,  D = dv rates
class DirectFactor {
 public:
  /// Throws std::runtime_error when the matrix is singular or, symmetric, not positive definite.
  DirectFactor(const DirectSystem& system, double dq, double dv);

  /// x <- A^-1 x on the first entries of padded columns; of one no allocation while the matrix is symmetric
  /// and MUMPS is not used. Throws BasisError: not enough memory.
  void solve(Eigen::Ref<Matrix> x) const;

  /// Entries of the triangular factor [-].
  Eigen::Index fill() const noexcept { return fill_; }

 private:
  using Lu = Eigen::SparseLU<SparseMatrix>;

  void factorise(const SparseMatrix& matrix, const Elimination* elimination);
  void addModalDamping(const DirectSystem& system, double dv);
  void solveSparse(Eigen::Ref<Matrix> x) const;

  Eigen::Index size_;
  Eigen::Index fill_{0};
  Vector inverse_;  // of a diagonal matrix
  std::unique_ptr<SymmetricFactor> symmetric_;
  std::unique_ptr<Lu> lu_;
  mutable Vector work_;

  Matrix shapes_;                            // W
  Matrix responses_;                         // Z
  Eigen::PartialPivLU<Matrix> capacitance_;  // D^-1 + W^t Z
  mutable Vector modal_, reduced_;
};

}  // namespace ricochet
