#include "engine/contact/obstacles/round_polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Adds the product factor a b to a polynomial.
void addScaledPolynomialProduct(double factor, std::span<const double> a, std::span<const double> b,
                                std::span<double> sum) noexcept {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += factor * a[i] * b[j];
}

}  // namespace

double distanceToSingularNormal(const RoundGuard& guard, const Local<double>& x) noexcept {
  const bool isTorus = guard.ringRadius > 0.0;
  if (guard.inside) return isTorus ? std::hypot(x[0], x[1]) : std::numeric_limits<double>::infinity();
  const double across = std::hypot(x[0], x[1]);
  return std::hypot(across - guard.ringRadius, guard.axes == 3 ? x[2] : 0.0);
}

RoundPolynomials::RoundPolynomials(std::size_t count)
    : sum_(4 * count), across_(2 * count), away_(count), aside_(count) {}

/// Squared distance |x|^2 over the first `axes` coordinates, as a polynomial of the time.
std::span<double> RoundPolynomials::squaredDistance(const Place& x, std::size_t axes,
                                                    std::size_t size) noexcept {
  const std::span<double> sum = std::span(sum_).first(size);
  std::fill(sum.begin(), sum.end(), 0.0);
  for (std::size_t i = 0; i < axes; ++i) addScaledPolynomialProduct(1.0, x[i], x[i], sum);
  return sum;
}

/// Guard of a torus, (d^2 - r^2) (D^2 - r^2)/(4 R). With the first position at a = p - R away from the axis,
/// z along the axis and b across both, the guard is
///
///     (R + a) (a^2 + z^2 - r^2) + a b^2 + (a^2 + b^2 + z^2 - r^2)^2 / (4 R)
///
/// without differences of large numbers near the tube.
std::span<double> RoundPolynomials::torusGapGuard(double ringRadius, double radius, const Place& x) noexcept {
  const std::size_t count = x[0].size(), twice = 2 * count - 1;
  const double p = std::hypot(x[0][0], x[1][0]);
  const double c = p > 0.0 ? x[0][0] / p : 1.0, s = p > 0.0 ? x[1][0] / p : 0.0;
  const std::span<double> a = std::span(away_).first(count), b = std::span(aside_).first(count);
  for (std::size_t k = 0; k < count; ++k) {
    a[k] = c * x[0][k] + s * x[1][k];
    b[k] = c * x[1][k] - s * x[0][k];
  }
  a[0] = p - ringRadius;
  b[0] = 0.0;
  const std::span<double> sum = std::span(sum_).first(2 * twice - 1);
  std::fill(sum.begin(), sum.end(), 0.0);
  const std::span<double> q = std::span(across_).first(twice);
  std::fill(q.begin(), q.end(), 0.0);
  addScaledPolynomialProduct(1.0, b, b, q);
  addScaledPolynomialProduct(1.0, a, q, sum);
  const auto addTube = [&] {
    addScaledPolynomialProduct(1.0, a, a, q);
    addScaledPolynomialProduct(1.0, x[2], x[2], q);
    q[0] -= radius * radius;
  };
  addTube();
  addScaledPolynomialProduct(0.25 / ringRadius, q, q, sum);
  std::fill(q.begin(), q.end(), 0.0);
  addTube();
  addScaledPolynomialProduct(1.0, a, q, sum);
  for (std::size_t k = 0; k < twice; ++k) sum[k] += ringRadius * q[k];
  return sum;
}

std::span<const double> RoundPolynomials::gap(const RoundGuard& guard, const Place& x) noexcept {
  const double r = guard.radius, ring = guard.ringRadius;
  double factor = (guard.inside ? -0.5 : 0.5) / r;
  std::span<double> polynomial;
  if (ring > 0.0) {
    polynomial = torusGapGuard(ring, r, x);
    factor /= std::clamp(std::hypot(x[0][0], x[1][0]), ring - r, ring + r);
  } else {
    polynomial = squaredDistance(x, guard.axes, 2 * x[0].size() - 1);
    polynomial[0] -= r * r;
  }
  for (double& each : polynomial) each *= factor;
  return polynomial;
}

std::span<const double> RoundPolynomials::guardOfSingularNormal(const RoundGuard& guard,
                                                                const Place& x) noexcept {
  const double ring = guard.ringRadius;
  if (ring == 0.0) return squaredDistance(x, guard.axes, 2 * x[0].size() - 1);
  if (guard.inside) return squaredDistance(x, 2, 2 * x[0].size() - 1);
  const std::span<double> polynomial = torusGapGuard(ring, 0.0, x);
  for (double& each : polynomial) each /= ring;
  return polynomial;
}

}  // namespace ricochet
