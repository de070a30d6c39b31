#pragma once

#include "physical/types.hpp"

#include <vector>

namespace ricochet {

/// Elimination order of a symmetric matrix with a sparse factor: nested dissection by METIS (G. Karypis, V.
/// Kumar, SIAM J. Sci. Comput. 20 (1998) 359-392). A vertex of the graph is the set of rows with the same
/// pattern, the dofs of a node. The k-th eliminated row is order[k]. The order is reproducible.
///
/// Empty if the library was built without METIS.
std::vector<int> nestedDissectionOrdering(const SparseMatrix& symmetric);

/// Groups the rows with the same pattern: returns the group number of each row, counted from 0 in the order
/// of the first row of each group. The pattern of a row includes the diagonal, stored or not.
std::vector<int> groupRowsByPattern(const SparseMatrix& symmetric);

}  // namespace ricochet
