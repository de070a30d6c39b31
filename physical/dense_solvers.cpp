#include "physical/dense_solvers.hpp"

namespace Eigen {

template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);
template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::computeFromTridiagonal(
    const VectorXd&, const VectorXd&, int);
template GeneralizedSelfAdjointEigenSolver<MatrixXd>& GeneralizedSelfAdjointEigenSolver<MatrixXd>::compute(
    const MatrixXd&, const MatrixXd&, int);
template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, bool);

template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
template void PartialPivLU<MatrixXd>::compute();

template void HouseholderQR<MatrixXd>::computeInPlace();
template void ColPivHouseholderQR<MatrixXd>::computeInPlace();
template void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const MatrixXd::IdentityReturnType&,
                                                                     MatrixXd&) const;
template JacobiSVD<MatrixXd>& JacobiSVD<MatrixXd>::compute(const MatrixXd&, unsigned int);

}  // namespace Eigen

namespace ricochet {

Matrix orthonormalBasisOfColumns(const Matrix& columns) {
  const Eigen::HouseholderQR<Matrix> qr(columns);
  return qr.householderQ() * Matrix::Identity(columns.rows(), columns.cols());
}

}  // namespace ricochet
