#include "engine/event/series/volterra_bounds.hpp"

#include "engine/event/series/volterra_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet {
namespace {

/// h^n times the n-th derivative of T_k(2 t/h - 1) at t = 0, in column k; n up to P - 1.
Matrix chebyshevDerivativesAtStart(Eigen::Index points) {
  Matrix derivative = Matrix::Zero(points, points);
  for (Eigen::Index k = 0; k < points; ++k) {
    double value = k % 2 == 0 ? 1.0 : -1.0;
    for (Eigen::Index n = 0; n <= k; ++n) {
      derivative(n, k) = value;
      value *= -2.0 * static_cast<double>(k * k - n * n) / static_cast<double>(2 * n + 1);
    }
  }
  return derivative;
}

}  // namespace

VolterraBounds::VolterraBounds(const VolterraBasis& basis, const LinearSystem& linear, double h)
    : line_(Vector::Zero(linear.omegaSquared.size())),
      departure_(line_),
      reach_(line_),
      freeRemainder_(line_),
      step_(h),
      most_(2.0 + 2.0 / std::numbers::pi * std::log(static_cast<double>(basis.pointCount()))) {
  const Eigen::Index points = basis.pointCount();
  for (Eigen::Index k = 1; k <= points; ++k) share_ *= 0.25 * h / static_cast<double>(k);
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    const double omega = std::sqrt(linear.omegaSquared[j]), c = linear.dampingDiagonal[j];
    const double slow = std::min(0.5 * (omega + c) * h * h, 2.0 * h);
    line_[j] = slow * omega <= 1.0 ? 1.0 : 0.0;
    departure_[j] = line_[j] != 0.0 ? slow : 1.0 / omega;
    reach_[j] = std::min(0.5 * h * h, omega > 0.0 ? h / omega : std::numeric_limits<double>::infinity());
    if (c > 0.0 && c >= 2.0 * omega) reach_[j] = std::min(reach_[j], h / c);
    if (omega > 0.0 && c >= 2.0 * omega) reach_[j] = std::min(reach_[j], 1.0 / linear.omegaSquared[j]);
    double power = share_;
    for (Eigen::Index k = 1; k < points; ++k) power *= omega + c;
    freeRemainder_[j] = omega > 0.0 ? std::min(power, most_ / omega) : power;
  }
}

/// Interpolation error by the recurrence y_(n+2) = f_n - c h y_(n+1) - theta^2 y_n, in units of h. The
/// rounding error of a sum is bounded by the sum of the sizes of its terms.
Matrix VolterraBounds::forcedMotionInterpolationError(const VolterraBasis& basis,
                                                      const LinearSystem& linear) const {
  constexpr double kRounding = 1e-14;
  const Eigen::Index points = basis.pointCount();
  const Matrix force = chebyshevDerivativesAtStart(points);
  const Eigen::ArrayXd square = linear.omegaSquared * (step_ * step_), drag = linear.dampingDiagonal * step_;
  // factor from a derivative scaled with the step, h^P q^(P)/h^2, to the interpolation error
  double scale = share_ * step_ * step_;
  for (Eigen::Index k = 0; k < points; ++k) scale /= step_;
  Matrix last(square.size(), points), result(square.size(), points);
  kernels::advanceModeRecurrence({.size = square.size(),
                                  .square = square.data(),
                                  .drag = drag.data(),
                                  .points = static_cast<int>(points),
                                  .force = force.data(),
                                  .rounding = kRounding},
                                 last.data(), result.data());
  const Eigen::ArrayXd angle = square.sqrt();
  for (Eigen::Index k = 0; k < points; ++k) {
    const auto y = last.col(k).array();
    const Eigen::ArrayXd e = (result.col(k).array().square() + (angle * y).square()).sqrt();
    result.col(k) =
        (scale * (square > 0.0).select((e / angle).min(y + e), y + e)).min(most_ * reach_.array());
  }
  return result;
}

}  // namespace ricochet
