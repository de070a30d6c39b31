#include "io/quantities/checks_piece.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

void CheckPiece::valuesAtInstant(double time, std::span<double> values) const noexcept {
  const double x = 2.0 * (time - begin_) / (end_ - begin_) - 1.0;
  interpolatePolynomials(points_->point, points_->barycentric, values_.data(), values.size(), x, values);
}

/// Size of the last two Legendre polynomials in the polynomial through values at the points.
template <class Value>
double CheckPiece::magnitudeOfLastTerms(const Value& value) const noexcept {
  double last = 0.0, before = 0.0;
  for (std::size_t i = 0; i < numberOfPoints(); ++i) {
    const double x = points_->point[i];
    double lower = 1.0, higher = x;
    for (std::size_t k = 1; k + 1 < numberOfPoints(); ++k) {
      const auto degree = static_cast<double>(k);
      const double next = ((2.0 * degree + 1.0) * x * higher - degree * lower) / (degree + 1.0);
      lower = higher;
      higher = next;
    }
    const auto n = static_cast<double>(numberOfPoints());
    last += (n - 0.5) * points_->weight[i] * higher * value(i);
    before += (n - 1.5) * points_->weight[i] * lower * value(i);
  }
  return std::abs(last) + std::abs(before);
}

bool CheckPiece::areChannelsResolved() const noexcept {
  // Fraction of the largest range of a channel: smaller ranges may be rounding of a vector.
  constexpr double kResolved = 0.01;
  const std::size_t channels = values_.size() / numberOfPoints();
  double last = 0.0, range = 0.0;
  for (std::size_t c = 0; c < channels; ++c) {
    const auto at = [&](std::size_t i) { return values_[i * channels + c]; };
    last = std::max(last, magnitudeOfLastTerms(at));
    double least = at(0), most = at(0);
    for (std::size_t i = 1; i < numberOfPoints(); ++i) {
      least = std::min(least, at(i));
      most = std::max(most, at(i));
    }
    range = std::max(range, most - least);
  }
  return last <= kResolved * range;
}

}  // namespace ricochet
