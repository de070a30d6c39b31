#pragma once

#include "physical/types.hpp"

#include <vector>

namespace ricochet {

/// Elimination order of a symmetric matrix that keeps its factor sparse: nested dissection by METIS
/// (G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998) 359-392) of the graph in which rows of the same
/// pattern, the dofs of a node, are one vertex. The k-th eliminated row is order[k]. The same each time.
///
/// Empty when the library was built without METIS.
std::vector<int> nestedDissection(const SparseMatrix& symmetric);

/// Groups of rows that have the same pattern, by their first row: the vertex of each row, numbered from 0 in
/// increasing order of that first row. The pattern of a row includes the diagonal, stored or not.
std::vector<int> rowsOfSamePattern(const SparseMatrix& symmetric);

}  // namespace ricochet
