#pragma once

#include "engine/numerics/state.hpp"
#include "modal/solvers/symmetric_factor.hpp"
#include "physical/dense_solvers.hpp"
#include "physical/sparse_lu.hpp"

#include <memory>

namespace ricochet {

/// The linear structure M y'' + C y' + K y in independent physical coordinates y, in SI units.
///
/// C = damping + W diag(rates) W^t. The second term is modal damping: W = M Phi (dofs x modes) and rates = 2
/// zeta omega give each mode of a basis the same damping as in generalized coordinates; motions outside the
/// basis are undamped.
struct DirectSystem {
  SparseMatrix mass;       ///< M, symmetric, positive definite
  SparseMatrix damping;    ///< C without modal damping; may be unsymmetric
  SparseMatrix stiffness;  ///< K, symmetric
  Matrix dampingShapes;    ///< W; no columns if there is no modal damping
  Vector dampingRates;     ///< rates 2 zeta omega, positive [1/s]
  /// Elimination order of M + C + K; null: each factorization computes an order.
  std::shared_ptr<const Elimination> elimination{};

  Eigen::Index size() const noexcept { return mass.rows(); }
  bool hasModalDamping() const noexcept { return dampingRates.size() > 0; }
  bool isDamped() const noexcept { return damping.nonZeros() > 0 || hasModalDamping(); }

  /// Force of the modal damping at a velocity v, W diag(rates) W^t v [N].
  Vector modalDampingForce(const Vector& v) const;
};

/// A sparse factorization of M + dv C + dq K, computed once and used for many solves: the inverse if the
/// matrix is diagonal, else LDL^t, or LU if C is unsymmetric. Modal damping enters as a low-rank update
/// (Woodbury):
///
///     (A + W D W^t)^-1 = A^-1 - Z (D^-1 + W^t Z)^-1 W^t A^-1,   Z = A^-1 W,  D = dv rates
class DirectFactor {
 public:
  /// Throws std::runtime_error if the matrix is singular, or symmetric but not positive definite.
  DirectFactor(const DirectSystem& system, double dq, double dv);

  /// Solves A x = b in place on the first entries of padded columns. One column needs no allocation if the
  /// matrix is symmetric and MUMPS is not used. Throws BasisError if memory is exhausted.
  void solve(Eigen::Ref<Matrix> x) const;

  /// Number of entries of the triangular factor [-].
  Eigen::Index factorEntryCount() const noexcept { return fill_; }

 private:
  using Lu = Eigen::SparseLU<SparseMatrix>;

  void factorise(const SparseMatrix& matrix, const Elimination* elimination);
  void addModalDamping(const DirectSystem& system, double dv);
  void solveSparse(Eigen::Ref<Matrix> x) const;

  Eigen::Index size_;
  Eigen::Index fill_{0};
  Vector inverse_;  // inverse of a diagonal matrix
  std::unique_ptr<SymmetricFactor> symmetric_;
  std::unique_ptr<Lu> lu_;
  mutable Vector work_;

  Matrix shapes_;                            // W, shapes of the modal damping
  Matrix responses_;                         // responses Z = A^-1 W to the damping shapes
  Eigen::PartialPivLU<Matrix> capacitance_;  // capacitance matrix D^-1 + W^t Z
  mutable Vector modal_, reduced_;
};

}  // namespace ricochet
