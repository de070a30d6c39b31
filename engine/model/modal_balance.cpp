#include "engine/model/modal_balance.hpp"

namespace ricochet {

ModalBalance::ModalBalance(const LinearSystem& linear)
    : linear_(&linear),
      inverse_(Vector::Ones(linear.omegaSquared.size())),
      coupled_(Vector::Zero(linear.modes)) {
  if (linear.damping) factor_ = Eigen::PartialPivLU<Matrix>(linear.modes);
}

void ModalBalance::prepareCompliance(double dq, double dv) {
  if (linear_->damping) {
    system_ = dv * *linear_->damping;
    system_.diagonal().array() += 1.0 + dq * linear_->omegaSquared.head(linear_->modes).array();
    if (spins_ != nullptr) spins_->addGyroscopicMatricesTo(system_, time_, dq, dv);
    factor_.compute(system_);
  } else {
    inverse_ = (1.0 + dv * linear_->dampingDiagonal.array() + dq * linear_->omegaSquared.array()).inverse();
  }
}

void ModalBalance::applyInverse(Vector& a) noexcept {
  if (linear_->damping) {
    coupled_ = a.head(linear_->modes);
    a.head(linear_->modes) = factor_.solve(coupled_);
  } else {
    a.array() *= inverse_.array();
  }
}

void ModalBalance::computeUnitForceResponse(const double* row, double* response) noexcept {
  const Eigen::Map<const Vector> b(row, inverse_.size());
  Eigen::Map<Vector> y(response, inverse_.size());
  if (linear_->damping) {
    coupled_ = b.head(linear_->modes);
    y.head(linear_->modes) = factor_.solve(coupled_);
  } else {
    y = b.cwiseProduct(inverse_);
  }
}

}  // namespace ricochet
