#include "engine/event/volterra_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet {
namespace {

/// h^n times the n-th derivative of T_k(2 t/h - 1) at t = 0, in column k; n up to P.
Matrix startOfChebyshev(Eigen::Index points) {
  Matrix derivative = Matrix::Zero(points + 1, points);
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
      forcedRemainder_(Matrix::Zero(line_.size(), basis.points())) {
  const Eigen::Index points = basis.points();
  double share = 4.0;
  for (Eigen::Index k = 1; k <= points; ++k) share *= 0.25 * h / static_cast<double>(k);
  const double most = 2.0 + 2.0 / std::numbers::pi * std::log(static_cast<double>(points));
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    const double omega = std::sqrt(linear.omegaSquared[j]), c = linear.dampingDiagonal[j];
    const double slow = std::min(0.5 * (omega + c) * h * h, 2.0 * h);
    line_[j] = slow * omega <= 1.0 ? 1.0 : 0.0;
    departure_[j] = line_[j] != 0.0 ? slow : 1.0 / omega;
    reach_[j] = std::min(0.5 * h * h, omega > 0.0 ? h / omega : std::numeric_limits<double>::infinity());
    if (c > 0.0 && c >= 2.0 * omega) reach_[j] = std::min(reach_[j], h / c);
    if (omega > 0.0 && c >= 2.0 * omega) reach_[j] = std::min(reach_[j], 1.0 / linear.omegaSquared[j]);
    double power = share;
    for (Eigen::Index k = 1; k < points; ++k) power *= omega + c;
    freeRemainder_[j] = omega > 0.0 ? std::min(power, most / omega) : power;
  }
  boundForced(linear, points, h, share, most);
}

/// In units of h: y_(n+2) = f_n - c h y_(n+1) - theta^2 y_n. What rounding may take from a sum goes with the
/// sum of the sizes.
void VolterraBounds::boundForced(const LinearSystem& linear, Eigen::Index points, double h, double share,
                                 double most) {
  constexpr double kRounding = 1e-14;
  const Matrix force = startOfChebyshev(points);
  double scale = share * h * h;  // of y_P = h^P q^(P)/h^2
  for (Eigen::Index k = 0; k < points; ++k) scale /= h;
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    const double omega = std::sqrt(linear.omegaSquared[j]);
    const double theta = omega * h, drag = linear.dampingDiagonal[j] * h;
    for (Eigen::Index k = 0; k < points; ++k) {
      double y = 0.0, next = 0.0, size = 0.0, nextSize = 0.0;
      for (Eigen::Index n = 0; n < points; ++n) {
        const double after = force(n, k) - drag * next - theta * theta * y;
        const double afterSize = std::abs(force(n, k)) + drag * nextSize + theta * theta * size;
        y = next;
        size = nextSize;
        next = after;
        nextSize = afterSize;
      }
      y = std::abs(y) + kRounding * size;
      next = std::abs(next) + kRounding * nextSize;
      double largest = y + std::hypot(next, theta * y);
      if (theta > 0.0) largest = std::min(largest, std::hypot(y, next / theta));
      forcedRemainder_(j, k) = std::min(scale * largest, most * reach_[j]);
    }
  }
}

}  // namespace ricochet
