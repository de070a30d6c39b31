#include "io/quantities/checks_piece.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

void CheckPiece::at(double time, std::span<double> values) const noexcept {
  const double x = 2.0 * (time - begin_) / (end_ - begin_) - 1.0;
  interpolate(points_->point, points_->barycentric, values_.data(), values.size(), x, values);
}

bool CheckPiece::isResolved(std::span<const double> values) const noexcept {
  constexpr double kResolved = 0.01;  // of the range of the values
  const std::size_t count = values.size();
  double last = 0.0, before = 0.0;  // coefficients of the last two Legendre polynomials
  for (std::size_t i = 0; i < count; ++i) {
    const double x = points_->point[i];
    double lower = 1.0, higher = x;
    for (std::size_t k = 1; k + 1 < count; ++k) {
      const auto degree = static_cast<double>(k);
      const double next = ((2.0 * degree + 1.0) * x * higher - degree * lower) / (degree + 1.0);
      lower = higher;
      higher = next;
    }
    const auto n = static_cast<double>(count);
    last += (n - 0.5) * points_->weight[i] * higher * values[i];
    before += (n - 1.5) * points_->weight[i] * lower * values[i];
  }
  const auto [least, most] = std::ranges::minmax(values);
  return std::abs(last) + std::abs(before) <= kResolved * (most - least);
}

}  // namespace ricochet
