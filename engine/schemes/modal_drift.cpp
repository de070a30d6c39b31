#include "engine/schemes/modal_drift.hpp"

#include "engine/numerics/decaying_wave.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

/// Powers of two near omega, or near 1/h for a mode that turns little within the step. With them the norm of
/// the generator is a number of radians, whatever the unit of time, and no rounding is added.
Vector scaleToVelocities(const Vector& omegaSquared, Eigen::Index modes, double h) {
  Vector scale(modes);
  for (Eigen::Index i = 0; i < modes; ++i)
    scale[i] = std::ldexp(1.0, std::ilogb(std::max(std::sqrt(std::abs(omegaSquared[i])), 1.0 / h)));
  return scale;
}

/// (exp(A) - I)/A by the Pade approximation of degrees 7 and 7, exact to rounding up to a norm of kPadeNorm:
/// N. J. Higham, SIAM J. Matrix Anal. Appl. 26 (2005) 1179-1193.
constexpr double kPadeNorm = 0.95;
Matrix meanExponential(const Matrix& a) {
  const auto n = a.rows();
  const Matrix a2 = a * a, a4 = a2 * a2, a6 = a4 * a2;
  const Matrix one = Matrix::Identity(n, n);
  const Matrix odd = 8648640.0 * one + 277200.0 * a2 + 1512.0 * a4 + a6;  // of the numerator, divided by A
  const Matrix denominator = 17297280.0 * one + 1995840.0 * a2 + 25200.0 * a4 + 56.0 * a6 - a * odd;
  return denominator.partialPivLu().solve(Matrix(2.0 * odd));
}

}  // namespace

CoupledStep computeCoupledStep(const Vector& omegaSquared, const Matrix& damping, double h,
                               bool withResponse) {
  constexpr double kMostDoublings = 2000.0;  // more than the exponents of numbers
  const Eigen::Index m = damping.rows();
  CoupledStep step{.scale = scaleToVelocities(omegaSquared, m, h), .change = {}, .response = {}};
  Matrix generator = Matrix::Zero(2 * m, 2 * m);
  generator.topRightCorner(m, m).diagonal() = h * step.scale;
  generator.bottomLeftCorner(m, m).diagonal() = -h * omegaSquared.head(m).cwiseQuotient(step.scale);
  generator.bottomRightCorner(m, m) = -h * damping;
  const double norm = generator.cwiseAbs().colwise().sum().maxCoeff();
  const int doublings =
      norm > kPadeNorm ? static_cast<int>(std::min(std::ceil(std::log2(norm / kPadeNorm)), kMostDoublings))
                       : 0;
  generator *= std::ldexp(1.0, -doublings);
  const Matrix mean = meanExponential(generator);
  step.change = generator * mean;
  if (withResponse) step.response = std::ldexp(1.0, -doublings) * mean.rightCols(m);
  // The change is doubled, not the exponential: a slow mode, whose change is small, keeps its accuracy beside
  // a fast one.
  for (int i = 0; i < doublings; ++i) {
    if (withResponse) step.response = (2.0 * step.response + step.change * step.response).eval();
    step.change = (2.0 * step.change + step.change * step.change).eval();
  }
  return step;
}

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
    CoupledStep step = computeCoupledStep(linear_->omegaSquared, *linear_->damping, h, false);
    for (Eigen::Index i = 0; i < m; ++i) {
      step.change.row(i) /= step.scale[i];
      step.change.col(i) *= step.scale[i];
    }
    exponential_ = std::move(step.change);
    exponential_.diagonal().array() += 1.0;
    return;
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    const double d = 0.5 * linear_->dampingDiagonal[i];
    const double omegaSquared = linear_->omegaSquared[i];
    const DecayingWave wave = decayingCosineAndSine(omegaSquared, d, h);
    qq_[i] = wave.cosine + d * wave.sineOverW;
    qv_[i] = wave.sineOverW;
    vq_[i] = -omegaSquared * wave.sineOverW;
    vv_[i] = wave.cosine - d * wave.sineOverW;
  }
}

void ModalDrift::applyDriftOfCoupledModes(double kick, const Vector& f, Vector& q, Vector& v) const noexcept {
  const Eigen::Index m = linear_->modes;
  before_.head(m) = q.head(m);
  before_.tail(m) = v.head(m) + kick * f.head(m);
  after_.noalias() = exponential_ * before_;
  q.head(m) = after_.head(m);
  v.head(m) = after_.tail(m);
}

}  // namespace ricochet
