#include "engine/schemes/modal_drift.hpp"

#include "engine/numerics/decaying_wave.hpp"

#include <unsupported/Eigen/MatrixFunctions>

namespace ricochet {

ModalDrift::ModalDrift(const LinearSystem& linear) : linear_(&linear) {
  const Eigen::Index n = linear.omegaSquared.size();
  for (Vector* table : {&qq_, &qv_, &vq_, &vv_}) *table = Vector::Zero(n);
  if (linear.damping) {
    before_.resize(2 * linear.modes);
    after_.resize(2 * linear.modes);
  }
}

void ModalDrift::prepare(double h) {
  if (h == h_) return;
  h_ = h;
  const Eigen::Index m = linear_->modes;
  if (linear_->damping) {
    Matrix generator = Matrix::Zero(2 * m, 2 * m);
    generator.topRightCorner(m, m).setIdentity();
    generator.bottomLeftCorner(m, m).diagonal() = -linear_->omegaSquared.head(m);
    generator.bottomRightCorner(m, m) = -*linear_->damping;
    exponential_ = (h * generator).exp();
    return;
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    const double d = 0.5 * linear_->dampingDiagonal[i];
    const double omegaSquared = linear_->omegaSquared[i];
    const DecayingWave wave = decayingWave(omegaSquared, d, h);
    qq_[i] = wave.cosine + d * wave.sineOverW;
    qv_[i] = wave.sineOverW;
    vq_[i] = -omegaSquared * wave.sineOverW;
    vv_[i] = wave.cosine - d * wave.sineOverW;
  }
}

void ModalDrift::applyCoupledDrift(double kick, const Vector& f, Vector& q, Vector& v) const noexcept {
  const Eigen::Index m = linear_->modes;
  before_.head(m) = q.head(m);
  before_.tail(m) = v.head(m) + kick * f.head(m);
  after_.noalias() = exponential_ * before_;
  q.head(m) = after_.head(m);
  v.head(m) = after_.tail(m);
}

}  // namespace ricochet
