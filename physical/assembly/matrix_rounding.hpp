#pragma once

#include "physical/sparse.hpp"

namespace ricochet {

/// The symmetric matrix with an addition to its diagonal, after which no negative eigenvalue can be caused by
/// relative errors of at most `rounding` of the entries: after diagonal scaling, row sums bound the
/// eigenvalues of the errors (Gershgorin).
SparseMatrix addRoundingToDiagonal(const SparseMatrix& matrix, double rounding);

}  // namespace ricochet
