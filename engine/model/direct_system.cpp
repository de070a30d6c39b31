#include "engine/model/direct_system.hpp"

#include <stdexcept>

namespace ricochet {

Vector DirectSystem::modalDampingForce(const Vector& v) const {
  if (!hasModalDamping()) return Vector::Zero(v.size());
  return dampingShapes * (dampingRates.asDiagonal() * (dampingShapes.transpose() * v));
}

namespace {

bool isDiagonal(const SparseMatrix& m) {
  for (Eigen::Index j = 0; j < m.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(m, j); it; ++it)
      if (it.row() != it.col() && it.value() != 0.0) return false;
  return true;
}

bool isSymmetric(const SparseMatrix& m) {
  constexpr double kAsymmetry = 1e-14;
  return SparseMatrix(m - SparseMatrix(m.transpose())).norm() <= kAsymmetry * m.norm();
}

}  // namespace

DirectFactor::DirectFactor(const DirectSystem& system, double dq, double dv) : size_(system.size()) {
  SparseMatrix matrix = system.mass;
  if (dv != 0.0) matrix += dv * system.damping;
  if (dq != 0.0) matrix += dq * system.stiffness;
  factorise(matrix, system.elimination.get());
  if (dv != 0.0 && system.hasModalDamping()) addModalDamping(system, dv);
}

void DirectFactor::factorise(const SparseMatrix& matrix, const Elimination* elimination) {
  constexpr const char* kSingular = "the matrix of a step is singular: some motion has no mass";
  if (isDiagonal(matrix)) {
    const Vector diagonal = matrix.diagonal();
    if (!(diagonal.minCoeff() > 0.0)) throw std::runtime_error(kSingular);
    inverse_ = diagonal.cwiseInverse();
    fill_ = size_;
    return;
  }
  if (isSymmetric(matrix)) {
    symmetric_ =
        elimination != nullptr ? elimination->factorize(matrix, 0.0) : ricochet::factorize(matrix, 0.0);
    if (!symmetric_ || symmetric_->negativePivotCount() > 0 || !symmetric_->rowsOfTinyPivots().empty())
      throw std::runtime_error(kSingular);
    fill_ = static_cast<Eigen::Index>(symmetric_->factorEntryCount());
    return;
  }
  lu_ = std::make_unique<Lu>(matrix);
  if (lu_->info() != Eigen::Success) throw std::runtime_error(kSingular);
  fill_ = lu_->nnzL() + lu_->nnzU();
}

void DirectFactor::addModalDamping(const DirectSystem& system, double dv) {
  shapes_ = system.dampingShapes;
  responses_ = shapes_;
  solveSparse(responses_);
  Matrix capacitance = shapes_.transpose() * responses_;
  capacitance.diagonal() += (dv * system.dampingRates).cwiseInverse();
  capacitance_.compute(capacitance);
  modal_ = Vector::Zero(shapes_.cols());
  reduced_ = modal_;
}

void DirectFactor::solveSparse(Eigen::Ref<Matrix> x) const {
  if (symmetric_) {
    symmetric_->solve(x, work_);
  } else if (lu_) {
    // SparseLU of Eigen 3.4 takes its result for dense: it solves columns with padding between them wrongly.
    const Matrix solved = lu_->solve(Matrix(x));
    x = solved;
  } else {
    x.array().colwise() *= inverse_.array();
  }
}

void DirectFactor::solve(Eigen::Ref<Matrix> x) const {
  auto head = x.topRows(size_);
  solveSparse(head);
  if (shapes_.cols() == 0) return;
  for (auto column : head.colwise()) {
    modal_.noalias() = shapes_.transpose() * column;
    reduced_ = capacitance_.solve(modal_);
    column.noalias() -= responses_ * reduced_;
  }
}

}  // namespace ricochet
