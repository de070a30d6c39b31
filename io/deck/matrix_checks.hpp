#pragma once

#include "io/formats/matrix_file.hpp"
#include "io/toml/section.hpp"
#include "physical/sparse.hpp"

#include <string_view>
#include <vector>

namespace ricochet {

/// Reports mirror images that differ by more than the rounding of the printed digits, and makes the matrix
/// symmetric otherwise.
void requireSymmetric(const Section& section, std::string_view key, SparseMatrix& matrix, double rounding,
                      const std::vector<MatrixRow>& rows);

/// Reports a negative diagonal entry: a motion of this dof alone would have negative energy. Other motions
/// are checked with the modes.
void requirePositiveDiagonal(const Section& section, std::string_view key, const SparseMatrix& matrix,
                             const std::vector<MatrixRow>& rows);

}  // namespace ricochet
