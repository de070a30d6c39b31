#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace ricochet::test {

/// A power series of the time, truncated after t^5: the simplest arithmetic type of the event scheme.
/// Comparisons use the value, so that choices hold at the start of the interval.
///
/// Products by Cauchy's rule; quotient and root by its inversion (E. Hairer, S.P. Norsett, G. Wanner, Solving
/// Ordinary Differential Equations I, section I.8).
class TruncatedSeries {
 public:
  static constexpr std::size_t kSize = 6;

  TruncatedSeries() = default;
  TruncatedSeries(double constant) {
    c_[0] = constant;
  }  // NOLINT: numbers mix with series as they do with doubles
  TruncatedSeries(double constant, double slope) {
    c_[0] = constant;
    c_[1] = slope;
  }

  double& operator[](std::size_t i) { return c_[i]; }
  double operator[](std::size_t i) const { return c_[i]; }

  friend TruncatedSeries operator+(const TruncatedSeries& a, const TruncatedSeries& b) {
    TruncatedSeries r;
    for (std::size_t i = 0; i < kSize; ++i) r[i] = a[i] + b[i];
    return r;
  }
  friend TruncatedSeries operator-(const TruncatedSeries& a, const TruncatedSeries& b) {
    TruncatedSeries r;
    for (std::size_t i = 0; i < kSize; ++i) r[i] = a[i] - b[i];
    return r;
  }
  friend TruncatedSeries operator-(const TruncatedSeries& a) { return TruncatedSeries(0.0) - a; }
  friend TruncatedSeries operator*(const TruncatedSeries& a, const TruncatedSeries& b) {
    TruncatedSeries r;
    for (std::size_t n = 0; n < kSize; ++n)
      for (std::size_t i = 0; i <= n; ++i) r[n] += a[i] * b[n - i];
    return r;
  }
  friend TruncatedSeries operator/(const TruncatedSeries& a, const TruncatedSeries& b) {
    TruncatedSeries r;
    for (std::size_t n = 0; n < kSize; ++n) {
      double rest = a[n];
      for (std::size_t i = 0; i < n; ++i) rest -= r[i] * b[n - i];
      r[n] = rest / b[0];
    }
    return r;
  }
  /// Series of y = a^p with a constant p: a y' = p a' y.
  friend TruncatedSeries pow(const TruncatedSeries& a, const TruncatedSeries& exponent) {
    const double p = exponent[0];
    TruncatedSeries r;
    r[0] = std::pow(a[0], p);
    for (std::size_t n = 1; n < kSize; ++n) {
      double sum = 0.0;
      for (std::size_t i = 1; i <= n; ++i)
        sum += (p * static_cast<double>(i) - static_cast<double>(n - i)) * a[i] * r[n - i];
      r[n] = sum / (static_cast<double>(n) * a[0]);
    }
    return r;
  }
  friend TruncatedSeries sqrt(const TruncatedSeries& a) {
    TruncatedSeries r;
    r[0] = std::sqrt(a[0]);
    for (std::size_t n = 1; n < kSize; ++n) {
      double rest = a[n];
      for (std::size_t i = 1; i < n; ++i) rest -= r[i] * r[n - i];
      r[n] = rest / (2.0 * r[0]);
    }
    return r;
  }
  friend bool operator>(const TruncatedSeries& a, const TruncatedSeries& b) { return a[0] > b[0]; }
  friend TruncatedSeries select(bool condition, const TruncatedSeries& yes, const TruncatedSeries& no) {
    return condition ? yes : no;
  }

 private:
  std::array<double, kSize> c_{};
};

}  // namespace ricochet::test
