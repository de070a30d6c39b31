#pragma once

#include "physical/types.hpp"

namespace ricochet {

struct Eigenpairs {
  Vector values;   ///< omega^2 [rad^2/s^2], increasing
  Matrix vectors;  ///< M-orthonormal columns
};

/// All finite modes of a small pencil. Motions without mass follow statically: they are condensed, and the
/// others are solved for. Throws BasisError when a massless motion has no stiffness.
Eigenpairs solveDense(const SparseMatrix& stiffness, const SparseMatrix& mass);

/// How many modes there are: the rank of M. Throws BasisError when M has a negative eigenvalue.
int massRank(const SparseMatrix& mass);

}  // namespace ricochet
