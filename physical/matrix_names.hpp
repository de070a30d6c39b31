#pragma once

/// Names of the vectors and matrices for headers that declare functions of them only: Eigen itself is read by
/// those that hold one (types.hpp, sparse.hpp), since it is most of what such a unit compiles.

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
using RowMajorMatrix = Eigen::SparseMatrix<double, 1, int>;  ///< sparse, to pick rows from

}  // namespace ricochet
