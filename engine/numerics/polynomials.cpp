#include "engine/numerics/polynomials.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/lanes.hpp"
#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

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

}  // namespace

void differentiate(std::span<const double> p, std::span<double> slope) noexcept {
  assert(p.size() <= kMostFactors);
  for (std::size_t k = 1; k < p.size(); ++k) slope[k - 1] = kOrders[k] * p[k];
}

void slopeInBernsteinForm(std::span<const double> p, std::span<double> b) noexcept {
  const std::size_t count = p.size() - 1;
  const auto degree = static_cast<double>(count - 1);
  double binomial = 1.0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto order = static_cast<double>(k);
    b[k] = (order + 1.0) * p[k + 1] / binomial;
    binomial *= (degree - order) / (order + 1.0);
  }
  for (std::size_t j = 0; j + 1 < count; ++j)
    for (std::size_t i = count - 1; i > j; --i) b[i] += b[i - 1];
}

/// P_j has the coefficients (-1)^(j + i) C(j, i), whose degree is then raised step by step.
void legendreInBernsteinForm(std::size_t degree, std::span<double> b) noexcept {
  double binomial = 1.0;
  for (std::size_t i = 0; i <= degree; ++i) {
    b[i] = (degree + i) % 2 == 0 ? binomial : -binomial;
    binomial *= static_cast<double>(degree - i) / static_cast<double>(i + 1);
  }
  for (std::size_t raised = degree + 1; raised < b.size(); ++raised) {
    b[raised] = 0.0;
    for (std::size_t i = raised + 1; i-- > 0;) {
      const double share = static_cast<double>(i) / static_cast<double>(raised);
      b[i] = (i > 0 ? share * b[i - 1] : 0.0) + (1.0 - share) * b[i];
    }
  }
}

double slopeAt(std::span<const double> p, double t) noexcept {
  const double square = t * t;
  kernels::Register16 sums{};  // of the even and of the odd orders
  std::size_t k = p.size();
  auto order = static_cast<double>(k);
  if (k % 2 != 0 && k > 1) {
    --k;
    order -= 1.0;
    sums[0] = order * p[k];
  }
  kernels::Register16 orders{order - 2.0, order - 1.0};
  for (; k > 2; k -= 2, orders -= 2.0) {
    kernels::Register16 coefficients;
    std::memcpy(&coefficients, p.data() + k - 2, sizeof coefficients);
    sums = orders * coefficients + square * sums;
  }
  const double odd = k > 1 ? p[1] + square * sums[1] : sums[1];
  return odd + t * sums[0];
}

double largestPolynomialValue(std::span<const double> p, double end, double known) noexcept {
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
