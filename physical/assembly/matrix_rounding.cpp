#include "physical/assembly/matrix_rounding.hpp"

#include <cmath>

namespace ricochet {

SparseMatrix addRoundingToDiagonal(const SparseMatrix& matrix, double rounding) {
  const Vector scale = matrix.diagonal().cwiseAbs().cwiseSqrt();
  Vector errors = Vector::Zero(matrix.rows());
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      if (scale[j] > 0.0) errors[it.row()] += rounding * std::abs(it.value()) * scale[it.row()] / scale[j];
  SparseMatrix raised = matrix;
  for (Eigen::Index i = 0; i < errors.size(); ++i)
    if (errors[i] > 0.0) raised.coeffRef(i, i) += errors[i];
  return raised;
}

}  // namespace ricochet
