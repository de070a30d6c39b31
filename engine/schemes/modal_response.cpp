#include "engine/schemes/modal_response.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

/// Motion of one mode over a step: displacement S and velocity S' under a unit force from rest, and the
/// coefficients of the free motion.
struct UnitResponse {
  double position, velocity;
  std::array<double, 4> free;  // coefficients qq, qv, vq, vv
};

/// Response by the power series of q'' + c q' + omega^2 q = f in tau, which converges fast for omega tau, c
/// tau <= 1.
UnitResponse unitResponseByPowerSeries(double omegaSquared, double c, double tau) {
  constexpr int kTerms = 22;
  const auto sum = [&](double q0, double v0, double f) {
    double previous = q0, term = v0 * tau;  // terms of orders k and k + 1
    double q = previous + term, v = v0;
    for (int k = 0; k < kTerms; ++k) {
      const double force = k == 0 ? f * tau * tau : 0.0;
      const double next =
          (force - c * tau * (k + 1) * term - omegaSquared * tau * tau * previous) / ((k + 1) * (k + 2));
      q += next;
      v += (k + 2) * next / tau;
      previous = term;
      term = next;
    }
    return std::array{q, v};
  };
  const auto forced = sum(0.0, 0.0, 1.0), displaced = sum(1.0, 0.0, 0.0), moving = sum(0.0, 1.0, 0.0);
  return {forced[0], forced[1], {displaced[0], moving[0], displaced[1], moving[1]}};
}

/// Displacement S by doubling of the step: accurate for slow and overdamped modes, where 1 - qq cancels.
double unitResponseByStepDoubling(double omegaSquared, double c, double h) {
  const double fastest = std::max(std::sqrt(omegaSquared), c) * h;
  const int doublings = fastest > 1.0 ? static_cast<int>(std::ceil(std::log2(fastest))) : 0;
  UnitResponse r = unitResponseByPowerSeries(omegaSquared, c, std::ldexp(h, -doublings));
  for (int i = 0; i < doublings; ++i) {
    const auto [qq, qv, vq, vv] = r.free;
    r = {r.position + qq * r.position + qv * r.velocity,
         r.velocity + vq * r.position + vv * r.velocity,
         {qq * qq + qv * vq, qq * qv + qv * vv, vq * qq + vv * vq, vq * qv + vv * vv}};
  }
  return r.position;
}

}  // namespace

ModalResponse::ModalResponse(const LinearSystem& linear)
    : linear_(&linear),
      drift_(linear),
      position_(Vector::Zero(linear.omegaSquared.size())),
      velocity_(position_),
      none_(position_),
      other_(position_),
      responses_(Vector::Zero(linear.modes)) {}

bool ModalResponse::prepare(double h) {
  if (h == drift_.stepLength()) return false;
  drift_.prepare(h);
  const Eigen::Index m = linear_->modes;
  if (linear_->damping) {
    const CoupledStep step = computeCoupledStep(linear_->omegaSquared, *linear_->damping, h, true);
    coupledPosition_ = h * step.scale.cwiseInverse().asDiagonal() * step.response.topRows(m);
    coupledVelocity_ = h * step.response.bottomRows(m);
    return true;
  }
  // S' equals the displacement after a unit initial velocity; 1 - omega^2 S equals the displacement after a
  // unit initial displacement
  constexpr double kCancels = 1e-3;
  position_.head(m).setOnes();
  other_.setZero();
  drift_.applyDrift(0.0, none_, position_, other_);
  velocity_.setZero();
  other_.setZero();
  other_.head(m).setOnes();
  drift_.applyDrift(0.0, none_, velocity_, other_);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double left = 1.0 - position_[i];
    const double omegaSquared = linear_->omegaSquared[i];
    position_[i] =
        left > kCancels
            ? left / omegaSquared
            : std::max(0.0, unitResponseByStepDoubling(omegaSquared, linear_->dampingDiagonal[i], h));
  }
  return true;
}

void ModalResponse::advance(const Vector& f, Vector& q, Vector& v) const noexcept {
  drift_.applyDrift(0.0, none_, q, v);
  if (linear_->damping) {
    const Eigen::Index m = linear_->modes;
    responses_.noalias() = coupledPosition_ * f.head(m);
    q.head(m) += responses_;
    responses_.noalias() = coupledVelocity_ * f.head(m);
    v.head(m) += responses_;
    return;
  }
  q.array() += position_.array() * f.array();
  v.array() += velocity_.array() * f.array();
}

double ModalResponse::compliance(const double* a, const double* b) const noexcept {
  const Eigen::Index m = linear_->modes;
  const Eigen::Map<const Vector> left(a, m), right(b, m);
  const double h2 = stepLength() * stepLength();
  if (!linear_->damping) return (left.array() * position_.head(m).array() * right.array()).sum() / h2;
  responses_.noalias() = coupledPosition_ * right;
  return left.dot(responses_) / h2;
}

}  // namespace ricochet
