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
  std::size_t numberOfPoints() const noexcept { return points_->point.size(); }
  double timeOfPoint(std::size_t point) const noexcept {
    return begin_ + 0.5 * (1.0 + points_->point[point]) * (end_ - begin_);
  }

  /// Adds the values of all channels at the next point.
  void addPoint(std::span<const double> values) {
    values_.insert(values_.end(), values.begin(), values.end());
  }
  void beginPiece(double begin, double end) {
    begin_ = begin;
    end_ = end;
    values_.clear();
    atEnds_.clear();
  }

  /// Adds the values of all channels close to the begin, or later close to the end.
  void addValuesAtEnd(std::span<const double> values) {
    atEnds_.insert(atEnds_.end(), values.begin(), values.end());
  }
  /// Values of all channels close to the begin and the end; empty: not sampled.
  std::span<const double> valuesAtBegin() const noexcept {
    return std::span(atEnds_).first(atEnds_.size() / 2);
  }
  std::span<const double> valuesAtEnd() const noexcept {
    return std::span(atEnds_).subspan(atEnds_.size() / 2);
  }
  /// Values of all channels at a point.
  std::span<const double> valuesAtPoint(std::size_t point) const noexcept {
    const std::size_t channels = values_.size() / numberOfPoints();
    return std::span(values_).subspan(point * channels, channels);
  }

  /// Values of all channels at an instant of the piece.
  void valuesAtInstant(double time, std::span<double> values) const noexcept;

  /// True if polynomials through the points of the piece resolve all channels: their last terms are small. No
  /// polynomial resolves a force that jumps inside the piece, where a contact with a dashpot closes.
  bool areChannelsResolved() const noexcept;

  /// Integral of f(t) over part of the piece.
  template <class F>
  double integral(double from, double to, F&& f) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < points_->point.size(); ++i)
      sum += points_->weight[i] * f(from + 0.5 * (1.0 + points_->point[i]) * (to - from));
    return 0.5 * (to - from) * sum;
  }
  /// Integral of f(t) over part of the piece, for a function f that may have a kink inside.
  template <class F>
  double integralOfKinkedFunction(double from, double to, F&& f) const {
    constexpr double kAgreed = 1e-13;  // fraction of the integral of |f|
    const auto sum = [&](double begin, double end) { return integral(begin, end, f); };
    const double size = integral(from, to, [&](double t) { return std::abs(f(t)); });
    return integrateByHalving(sum, from, to, sum(from, to), kAgreed * size);
  }

 private:
  template <class Value>
  double magnitudeOfLastTerms(const Value& value) const noexcept;

  const GaussLegendre* points_;
  double begin_;
  double end_;
  std::vector<double> values_;  // values of all channels, point after point
  std::vector<double> atEnds_;  // values of all channels close to the ends
};

}  // namespace ricochet
