#include "engine/numerics/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {

GaussLegendre::GaussLegendre(std::size_t count) : point(count), weight(count), barycentric(count) {
  const auto n = static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    double slope = 1.0;
    constexpr int kNewton = 8;  // number of Newton iterations; 4 or 5 suffice
    for (int pass = 0; pass < kNewton; ++pass) {
      double value = x;
      double before = 1.0;
      for (std::size_t k = 2; k <= count; ++k) {
        const auto degree = static_cast<double>(k);
        const double next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree;
        before = value;
        value = next;
      }
      slope = n * (x * value - before) / (x * x - 1.0);
      x -= value / slope;
    }
    point[i] = x;
    weight[i] = 2.0 / ((1.0 - x * x) * slope * slope);
    barycentric[i] = (i % 2 == 0 ? 1.0 : -1.0) * std::sqrt((1.0 - x * x) * weight[i]);
  }
}

void interpolatePolynomials(std::span<const double> points, std::span<const double> barycentric,
                            const double* samples, std::size_t stride, double x,
                            std::span<double> values) noexcept {
  std::fill(values.begin(), values.end(), 0.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i, samples += stride) {
    const double distance = x - points[i];
    if (distance == 0.0) {
      std::copy_n(samples, values.size(), values.begin());
      return;
    }
    const double share = barycentric[i] / distance;
    sum += share;
    for (std::size_t c = 0; c < values.size(); ++c) values[c] += share * samples[c];
  }
  for (double& value : values) value /= sum;
}

}  // namespace ricochet
