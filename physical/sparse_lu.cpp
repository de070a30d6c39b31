#include "physical/sparse_lu.hpp"

namespace Eigen {

template void SparseLU<SparseMatrix<double>, COLAMDOrdering<int>>::analyzePattern(
    const SparseMatrix<double>&);
template void SparseLU<SparseMatrix<double>, COLAMDOrdering<int>>::factorize(const SparseMatrix<double>&);
template bool SparseLU<SparseMatrix<double>, COLAMDOrdering<int>>::_solve_impl(const MatrixBase<VectorXd>&,
                                                                               MatrixBase<VectorXd>&) const;

}  // namespace Eigen
