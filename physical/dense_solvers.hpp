#pragma once

#include "physical/types.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

/// Dense factorizations of `Matrix`, compiled once, in dense_solvers.cpp: a source that instantiates one of
/// them by itself compiles two to nine seconds longer. Sources that factorize a dense matrix include this
/// header.
///
/// The declarations hold for a `Matrix` with right-hand sides of type `Vector`. A block or an expression as
/// the argument instantiates the factorization once more: write `Matrix(expression)`.

namespace Eigen {

extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);
extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::computeFromTridiagonal(
    const VectorXd&, const VectorXd&, int);
extern template GeneralizedSelfAdjointEigenSolver<MatrixXd>&
GeneralizedSelfAdjointEigenSolver<MatrixXd>::compute(const MatrixXd&, const MatrixXd&, int);
extern template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);

extern template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
extern template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
extern template void PartialPivLU<MatrixXd>::compute();

extern template void HouseholderQR<MatrixXd>::computeInPlace();
extern template void ColPivHouseholderQR<MatrixXd>::computeInPlace();
extern template void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(
    const MatrixXd::IdentityReturnType&, MatrixXd&) const;
extern template JacobiSVD<MatrixXd>& JacobiSVD<MatrixXd>::compute(const MatrixXd&, unsigned int);

}  // namespace Eigen

namespace ricochet {

/// Q of A = Q R by Householder reflections, with as many columns as A; A has at least as many rows as
/// columns.
Matrix orthonormalBasisOfColumns(const Matrix& columns);

}  // namespace ricochet
