#include "io/deck/matrix_checks.hpp"

#include "io/formats/matrix_entries.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kMatrixRounding = 1e-9;  // rounding of printed numbers, relative to the largest entry
constexpr double kFixedDof = 1e30;        // Abaqus puts 1e36 on the diagonal of dofs that do not move

/// Largest entry of each row of a matrix.
Vector largestEntryOfEachRow(const SparseMatrix& matrix) {
  Vector largest = Vector::Zero(matrix.rows());
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      largest[it.row()] = std::max(largest[it.row()], std::abs(it.value()));
  return largest;
}

}  // namespace

void requireSymmetric(const Section& section, std::string_view key, SparseMatrix& matrix, double rounding,
                      const std::vector<MatrixRow>& rows) {
  const SparseMatrix difference = matrix - SparseMatrix(matrix.transpose());
  const Vector largest = largestEntryOfEachRow(matrix);
  double worst = 0.0;
  Eigen::Index row = 0, column = 0;
  for (Eigen::Index j = 0; j < difference.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(difference, j); it; ++it) {
      if (std::abs(it.value()) <= worst) continue;
      const double value = matrix.coeff(it.row(), it.col());
      if (!isUnsymmetricPair(value, value - it.value(), rounding, largest[it.row()], largest[it.col()]))
        continue;
      worst = std::abs(it.value());
      row = it.row();
      column = it.col();
    }
  const auto text = [&](Eigen::Index i) {
    const MatrixRow& r = rows[static_cast<std::size_t>(i)];
    return fmt::format("{} of node {}", componentName(r.component), r.node);
  };
  if (worst > 0.0)
    return section.problem(key, fmt::format("must be symmetric: the entries of {} and {} differ by {:.3g}",
                                            text(row), text(column), worst));
  matrix = SparseMatrix(0.5 * (matrix + SparseMatrix(matrix.transpose())));
}

void requirePositiveDiagonal(const Section& section, std::string_view key, const SparseMatrix& matrix,
                             const std::vector<MatrixRow>& rows) {
  const Vector diagonal = matrix.diagonal();
  double largest = 0.0;
  for (const double value : diagonal)
    if (std::abs(value) < kFixedDof) largest = std::max(largest, std::abs(value));
  Eigen::Index worst = 0;
  if (diagonal.size() > 0 && diagonal.minCoeff(&worst) < -kMatrixRounding * largest) {
    const MatrixRow& row = rows[static_cast<std::size_t>(worst)];
    section.problem(key, fmt::format("must not be negative on the diagonal: {:.6g} for {} of node {}",
                                     diagonal[worst], componentName(row.component), row.node));
  }
}

}  // namespace ricochet
