#pragma once

#include "engine/numerics/quadrature.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Values of a run between the ends of two steps: channels sampled at Gauss points. If the dense output of a
/// step is a polynomial of a degree below the number of points, the interpolation is exact up to rounding,
/// also at the ends (limits from inside).
class CheckPiece {
 public:
  CheckPiece(const GaussLegendre& points, double begin, double end)
      : points_(&points), begin_(begin), end_(end) {}

  double begin() const noexcept { return begin_; }
  double end() const noexcept { return end_; }
  std::size_t count() const noexcept { return points_->point.size(); }
  double instant(std::size_t point) const noexcept {
    return begin_ + 0.5 * (1.0 + points_->point[point]) * (end_ - begin_);
  }

  /// Adds the values of all channels at the next point.
  void add(std::span<const double> values) { values_.insert(values_.end(), values.begin(), values.end()); }
  void clear(double begin, double end) {
    begin_ = begin;
    end_ = end;
    values_.clear();
  }

  /// Values of all channels at an instant of the piece.
  void at(double time, std::span<double> values) const noexcept;

  /// True if the polynomial through these values at the points of the piece resolves them: its last terms are
  /// small. A force that jumps inside the piece, where a contact with a dashpot closes, has none.
  bool isResolved(std::span<const double> values) const noexcept;

  /// Integral of f(t) over part of the piece.
  template <class F>
  double integral(double from, double to, F&& f) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < points_->point.size(); ++i)
      sum += points_->weight[i] * f(from + 0.5 * (1.0 + points_->point[i]) * (to - from));
    return 0.5 * (to - from) * sum;
  }
  /// The same of a function that may have a kink inside.
  template <class F>
  double kinkedIntegral(double from, double to, F&& f) const {
    constexpr double kAgreed = 1e-13;  // of the integral of the size
    const auto sum = [&](double begin, double end) { return integral(begin, end, f); };
    const double size = integral(from, to, [&](double t) { return std::abs(f(t)); });
    return halvedIntegral(sum, from, to, sum(from, to), kAgreed * size);
  }

 private:
  const GaussLegendre* points_;
  double begin_;
  double end_;
  std::vector<double> values_;  // values of all channels, point after point
};

}  // namespace ricochet
