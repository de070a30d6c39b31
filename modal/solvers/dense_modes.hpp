#pragma once

#include "physical/types.hpp"

namespace ricochet {

class Elimination;

struct Eigenpairs {
  Vector values;   ///< eigenvalues omega^2 [rad^2/s^2], increasing
  Matrix vectors;  ///< M-orthonormal eigenvectors as columns
};

/// All finite modes of a small pencil (K, M). Massless motions are condensed statically; the reduced
/// eigenvalue problem is solved. Throws BasisError if a massless motion has no stiffness.
Eigenpairs eigenpairsByDenseSolver(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                   double rounding = 0.0);

/// Number of modes: the rank of M, from the inertia of M scaled to a unit diagonal (independent of units).
/// `rounding`: relative error of the entries of M. `elimination`: elimination order of K + M, if available.
/// Throws BasisError if M has a negative eigenvalue.
int rankOfMassMatrix(const SparseMatrix& mass, double rounding = 0.0,
                     const Elimination* elimination = nullptr);

}  // namespace ricochet
