#include "engine/schemes/heavy_damping.hpp"

#include "engine/numerics/decaying_wave.hpp"
#include "engine/schemes/modal_drift.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <numbers>

namespace ricochet {
namespace {

/// Limit of c h below which the error of the trapezoid, (c h)^2/12 of the damping loss, is invisible in an
/// energy residual of 1 %.
constexpr double kHeavy = 0.02;

/// For modes with omega h > pi: above this c h, exp(-c h) is so small that D - 1 is far from singular.
constexpr double kNoTurnLasts = 0.5;

/// omega^2 for the quadratic form: a mode with a very small stiffness uses omega h = 1e-3, which has the form
/// of the limit omega = 0 to 1e-7 and can be inverted.
double regularisedSquaredFrequency(double omegaSquared, double h) {
  constexpr double kPhase = 1e-3;
  return std::max(omegaSquared, kPhase * kPhase / (h * h));
}

bool isStepBeyondHalfPeriod(double omegaSquared, double h) {
  return omegaSquared * h * h >= std::numbers::pi * std::numbers::pi;
}

bool needsQuadraticFormOfDampingLoss(const LinearSystem& linear, Eigen::Index mode, double h) {
  const double c = linear.dampingDiagonal[mode];
  return c * h > kHeavy && (c * h > kNoTurnLasts || !isStepBeyondHalfPeriod(linear.omegaSquared[mode], h));
}

}  // namespace

bool HeavyDamping::isDampingLossCorrectionNeeded(const LinearSystem& linear, double h) {
  if (linear.damping) {
    if (isStepBeyondHalfPeriod(linear.omegaSquared.maxCoeff(), h)) return false;
    const Matrix dissipative = 0.5 * (*linear.damping + linear.damping->transpose());
    const Eigen::SelfAdjointEigenSolver<Matrix> rates(dissipative, Eigen::EigenvaluesOnly);
    return rates.eigenvalues()[linear.modes - 1] * h > kHeavy;
  }
  for (Eigen::Index i = 0; i < linear.modes; ++i)
    if (needsQuadraticFormOfDampingLoss(linear, i, h)) return true;
  return false;
}

void HeavyDamping::prepare(double h) {
  if (h == h_) return;
  h_ = h;
  if (linear_->damping) return prepareDampingLossOfCoupledModes();
  first_ = linear_->modes;
  for (Vector* each : {&qq_, &qv_, &vv_, &trapezoid_}) *each = Vector::Zero(linear_->modes);
  for (Eigen::Index i = linear_->modes - 1; i >= 0; --i)
    if (needsQuadraticFormOfDampingLoss(*linear_, i, h)) prepareDampingLossOfMode(i);
}

void HeavyDamping::prepareDampingLossOfMode(Eigen::Index i) {
  first_ = i;
  const double damping = linear_->dampingDiagonal[i];
  const double omegaSquared = regularisedSquaredFrequency(linear_->omegaSquared[i], h_);
  const DecayingWave wave = decayingCosineAndSine(omegaSquared, 0.5 * damping, h_);
  // elements a, b, c, d of the matrix D - 1
  const double a = wave.cosine + 0.5 * damping * wave.sineOverW - 1.0;
  const double b = wave.sineOverW;
  const double c = -omegaSquared * wave.sineOverW;
  const double d = wave.cosine - 0.5 * damping * wave.sineOverW - 1.0;
  // lost = -(omega^2 dq (q + dq/2) + dv (v + dv/2)), (q, v) = (D - 1)^-1 (dq, dv)
  const double determinant = a * d - b * c;
  qq_[i] = -omegaSquared * (d / determinant + 0.5);
  qv_[i] = (omegaSquared * b + c) / determinant;
  vv_[i] = -(a / determinant + 0.5);
  trapezoid_[i] = 0.5 * h_ * damping;
}

void HeavyDamping::prepareDampingLossOfCoupledModes() {
  const Eigen::Index m = linear_->modes;
  Vector stiffness(m);
  for (Eigen::Index i = 0; i < m; ++i)
    stiffness[i] = regularisedSquaredFrequency(linear_->omegaSquared[i], h_);
  const CoupledStep step = computeCoupledStep(stiffness, *linear_->damping, h_, false);
  form_ = step.change.inverse();
  form_.diagonal().array() += 0.5;
  for (Eigen::Index i = 0; i < m; ++i) {
    form_.row(i) *= stiffness[i] / step.scale[i];
    form_.col(i) *= step.scale[i];
  }
  form_ = -form_;
  increment_.resize(2 * m);
  product_.resize(2 * m);
}

double HeavyDamping::dampingLossCorrection(const State& from, const State& to) const noexcept {
  return linear_->damping ? dampingLossOfCoupledModes(from, to) : dampingLossOfUncoupledModes(from, to);
}

double HeavyDamping::dampingLossOfUncoupledModes(const State& from, const State& to) const noexcept {
  const Eigen::Index n = linear_->modes - first_;
  const auto of = [this, n](const Vector& x) { return x.segment(first_, n).array(); };
  const auto dq = of(to.q) - of(from.q);
  const auto dv = of(to.v) - of(from.v);
  return (dq * (of(qq_) * dq + of(qv_) * dv) + of(vv_) * dv.square() -
          of(trapezoid_) * (of(from.v).square() + of(to.v).square()))
      .sum();
}

double HeavyDamping::dampingLossOfCoupledModes(const State& from, const State& to) const noexcept {
  const Eigen::Index m = linear_->modes;
  increment_.head(m) = to.q.head(m) - from.q.head(m);
  increment_.tail(m) = to.v.head(m) - from.v.head(m);
  product_.noalias() = form_ * increment_;
  double lost = increment_.dot(product_);
  for (const State* end : {&from, &to}) {
    product_.head(m).noalias() = *linear_->damping * end->v.head(m);
    lost -= 0.5 * h_ * product_.head(m).dot(end->v.head(m));
  }
  return lost;
}

}  // namespace ricochet
