#pragma once

#include "physical/sparse.hpp"
#include "physical/types.hpp"

#include <Eigen/SparseLU>

/// LU factorization of a `SparseMatrix`, compiled once, in sparse_lu.cpp, with right-hand sides of type
/// `Vector`.

namespace Eigen {

extern template void SparseLU<SparseMatrix<double>, COLAMDOrdering<int>>::analyzePattern(
    const SparseMatrix<double>&);
extern template void SparseLU<SparseMatrix<double>, COLAMDOrdering<int>>::factorize(
    const SparseMatrix<double>&);
extern template bool SparseLU<SparseMatrix<double>, COLAMDOrdering<int>>::_solve_impl(
    const MatrixBase<VectorXd>&, MatrixBase<VectorXd>&) const;

}  // namespace Eigen
