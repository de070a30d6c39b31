#include "engine/numerics/polynomials.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace ricochet {

double secondDerivativeAt(std::span<const double> p, double t) noexcept {
  double curvature = 0.0;
  for (std::size_t k = p.size(); k-- > 2;)
    curvature = static_cast<double>(k * (k - 1)) * p[k] + t * curvature;
  return curvature;
}

double integral(std::span<const double> p, double end) noexcept {
  double sum = 0.0;
  for (std::size_t k = p.size(); k-- > 0;) sum = end * (p[k] / static_cast<double>(k + 1) + sum);
  return sum;
}

namespace {

// Tables of factors take the place of conversions of integers, which cost more than the products.
constexpr std::size_t kMostFactors = 128;
constexpr auto kOrders = [] {
  std::array<double, kMostFactors> orders{};
  for (std::size_t k = 0; k < orders.size(); ++k) orders[k] = static_cast<double>(k);
  return orders;
}();
constexpr auto kFourthFactors = [] {
  std::array<double, kMostFactors> factors{};
  for (std::size_t k = 3; k < factors.size(); ++k)
    factors[k] = kOrders[k] * kOrders[k - 1] * kOrders[k - 2] * kOrders[k - 3];
  return factors;
}();

}  // namespace

void differentiate(std::span<const double> p, std::span<double> slope) noexcept {
  assert(p.size() <= kMostFactors);
  for (std::size_t k = 1; k < p.size(); ++k) slope[k - 1] = kOrders[k] * p[k];
}

double fourthDerivativeBound(std::span<const double> p) noexcept {
  assert(p.size() <= kMostFactors);
  double bound = 0.0;
  for (std::size_t k = 4; k < p.size(); ++k) bound += kFourthFactors[k] * std::abs(p[k]);
  return bound;
}

double slopeAt(std::span<const double> p, double t) noexcept {
  const double square = t * t;
  double even = 0.0;
  double odd = 0.0;
  std::size_t k = p.size();
  auto order = static_cast<double>(k);
  if (k % 2 != 0 && k > 1) {
    --k;
    order -= 1.0;
    even = order * p[k];
  }
  for (; k > 1; k -= 2, order -= 2.0) {
    odd = (order - 1.0) * p[k - 1] + square * odd;
    if (k > 2) even = (order - 2.0) * p[k - 2] + square * even;
  }
  return odd + t * even;
}

double largestValueOf(std::span<const double> p, double end, double known) noexcept {
  double bound = p[0];
  double power = end;
  for (std::size_t k = 1; k < p.size(); ++k, power *= end) bound += std::max(0.0, p[k]) * power;
  if (bound <= known) return known;
  if (p.size() == 1) return bound;
  constexpr int kSamples = 16;
  double peak = std::max(p[0], polynomialAt(p, end));
  // Newton iteration on the slope.
  const auto includePeakNear = [&](double t) {
    for (int k = 0; k < 3; ++k) {
      const double curvature = secondDerivativeAt(p, t);
      if (curvature < 0.0)
        t = std::clamp(t - slopeAt(p, t) / curvature, std::min(0.0, end), std::max(0.0, end));
    }
    peak = std::max(peak, polynomialAt(p, t));
  };
  double before = p[0];
  double here = polynomialAt(p, end / kSamples);
  if (p[1] * end > 0.0 && here < before) includePeakNear(0.0);
  for (int i = 2; i <= kSamples; ++i) {
    const double after = polynomialAt(p, end * i / kSamples);
    if (here >= before && here >= after && before + after - 2.0 * here < 0.0)  // the vertex of the parabola
      includePeakNear(end / kSamples * (i - 1 + 0.5 * (before - after) / (before + after - 2.0 * here)));
    peak = std::max(peak, here);
    before = here;
    here = after;
  }
  if (slopeAt(p, end) * end < 0.0 && before < here) includePeakNear(end);
  return peak;
}

double workOfForce(std::span<const double> force, std::span<const double> position, double end) noexcept {
  if (force.size() == 1) return force[0] * (polynomialAt(position, end) - position[0]);
  double sum = 0.0;
  for (const QuadraturePoint& point : kGaussPoints) {
    const double t = point.at * end;
    sum += point.weight * polynomialAt(force, t) * slopeAt(position, t);
  }
  return end * sum;
}

}  // namespace ricochet
