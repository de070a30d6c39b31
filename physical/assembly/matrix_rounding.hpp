#pragma once

#include "physical/sparse.hpp"

namespace ricochet {

/// A symmetric matrix with so much added to its diagonal that it has no negative eigenvalue where relative
/// errors of at most `rounding` of its entries may be all that makes one: scaled by the diagonal, row sums
/// bound the eigenvalues of the errors (Gershgorin).
SparseMatrix raisedByRounding(const SparseMatrix& matrix, double rounding);

}  // namespace ricochet
