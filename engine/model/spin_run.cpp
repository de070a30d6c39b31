#include "engine/model/spin_run.hpp"

#include <array>

namespace ricochet {

SpinRun::SpinRun(const LinearSystem& linear)
    : linear_(&linear),
      speed_(linear.spinning.size()),
      change_(linear.spinning.size()),
      argument_(Vector::Zero(linear.modes)),
      product_(Vector::Zero(linear.modes)) {
  for (const SpinningPart& part : linear.spinning) cursors_.emplace_back(part.speed);
}

void SpinRun::readSpinSpeeds(double t) noexcept {
  series_.begin();
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    std::array<double, 2> w{};
    series_.expandFunction(cursors_[i], t, w);
    speed_[i] = w[0] - linear_->spinning[i].included;
    change_[i] = w[1];
  }
}

Vector& SpinRun::gyroscopicProduct(std::size_t part, const Vector& q) noexcept {
  product_.noalias() = linear_->spinning[part].moments * q.head(linear_->modes);
  return product_;
}

void SpinRun::addGyroscopicForce(double t, const Vector& q, const Vector& v, Vector& a) noexcept {
  readSpinSpeeds(t);
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    argument_ = speed_[i] * v.head(linear_->modes) + change_[i] * q.head(linear_->modes);
    product_.noalias() = linear_->spinning[i].moments * argument_;
    a.head(linear_->modes) -= product_;
  }
}

void SpinRun::addGyroscopicMatricesTo(Matrix& system, double t, double dq, double dv) noexcept {
  readSpinSpeeds(t);
  for (std::size_t i = 0; i < cursors_.size(); ++i)
    system += (dv * speed_[i] + dq * change_[i]) * linear_->spinning[i].moments;
}

double SpinRun::powerOfSpinDrives(double t, const Vector& q, const Vector& v) noexcept {
  readSpinSpeeds(t);
  double power = 0.0;
  for (std::size_t i = 0; i < cursors_.size(); ++i)
    power -= change_[i] * gyroscopicProduct(i, q).dot(v.head(linear_->modes));
  return power;
}

void SpinRun::start(double t) noexcept {
  for (FunctionCursor& cursor : cursors_) {
    cursor.rewind();
    cursor.advance(t, 0.0);
  }
}

bool SpinRun::advanceTimeFunctions(double t, double tolerance, const Vector& q, Vector& forceLike) noexcept {
  readSpinSpeeds(t);
  argument_.setZero();  // adds the term of W' before the jump
  for (std::size_t i = 0; i < cursors_.size(); ++i) argument_ += change_[i] * gyroscopicProduct(i, q);
  bool changed = false;
  for (FunctionCursor& cursor : cursors_) {
    const double slope = cursor.piece().slope;
    cursor.advance(t, tolerance);
    changed |= cursor.piece().slope != slope;
  }
  if (!changed) return false;
  readSpinSpeeds(t);
  forceLike.head(linear_->modes) += argument_;
  for (std::size_t i = 0; i < cursors_.size(); ++i)
    forceLike.head(linear_->modes) -= change_[i] * gyroscopicProduct(i, q);
  return true;
}

}  // namespace ricochet
