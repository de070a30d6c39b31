#pragma once

/// Forward declarations of vectors and matrices, for headers that only declare functions of them. Only units
/// that hold a vector or matrix include Eigen (types.hpp, sparse.hpp), which dominates their compile time.

namespace Eigen {

template <typename, int, int, int, int, int>
class Matrix;
template <typename, int, typename>
class SparseMatrix;

}  // namespace Eigen

namespace ricochet {

using Vec3 = Eigen::Matrix<double, 3, 1, 0, 3, 1>;
using Mat3 = Eigen::Matrix<double, 3, 3, 0, 3, 3>;
using Vector = Eigen::Matrix<double, -1, 1, 0, -1, 1>;
using Matrix = Eigen::Matrix<double, -1, -1, 0, -1, -1>;
using SparseMatrix = Eigen::SparseMatrix<double, 0, int>;
using RowMajorMatrix = Eigen::SparseMatrix<double, 1, int>;  ///< sparse, with fast access to rows

}  // namespace ricochet
