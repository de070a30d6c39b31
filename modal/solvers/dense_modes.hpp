#pragma once

#include "physical/types.hpp"

namespace ricochet {

class Elimination;

struct Eigenpairs {
  Vector values;   ///< omega^2 [rad^2/s^2], increasing
  Matrix vectors;  ///< M-orthonormal columns
};

/// All finite modes of a small pencil. Motions without mass follow statically: they are condensed, and the
/// others are solved for. Throws BasisError when a massless motion has no stiffness.
Eigenpairs solveDense(const SparseMatrix& stiffness, const SparseMatrix& mass, double rounding = 0.0);

/// How many modes there are: the rank of M, scaled to a unit diagonal so that no unit matters, by its
/// inertia. `rounding`: of its entries, relative. `elimination`: of K + M, where there is one. Throws
/// BasisError when M has a negative eigenvalue.
int massRank(const SparseMatrix& mass, double rounding = 0.0, const Elimination* elimination = nullptr);

}  // namespace ricochet
