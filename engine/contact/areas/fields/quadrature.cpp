#include "engine/contact/areas/fields/quadrature.hpp"

#include <numbers>

namespace ricochet::patch {
namespace {

/// Legendre polynomial P_n(x) and its derivative, by the three-term recursion.
struct Legendre {
  double value;
  double slope;
};
Legendre legendrePolynomial(std::size_t n, double x) {
  double before = 1.0, value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const double order = static_cast<double>(k);
    const double next = ((2.0 * order - 1.0) * x * value - (order - 1.0) * before) / order;
    before = value;
    value = next;
  }
  return {value, static_cast<double>(n) * (x * value - before) / (x * x - 1.0)};
}

}  // namespace

UnitRule gaussLegendreRule(std::size_t n) {
  if (n == 1) return {{0.5}, {1.0}};
  UnitRule rule{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    // initial value of a root by Tricomi's formula, then Newton's method
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
    for (int iteration = 0; iteration < 8; ++iteration) {
      const Legendre p = legendrePolynomial(n, x);
      x -= p.value / p.slope;
    }
    const double slope = legendrePolynomial(n, x).slope;
    rule.points[i] = 0.5 * (1.0 + x);
    rule.weights[i] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace ricochet::patch
