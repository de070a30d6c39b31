#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace ricochet {

/// Dual number: a value with its derivatives along N directions; a law evaluated on dual numbers gives its
/// consistent tangent. Comparisons use the value, so that the derivatives belong to the active branch.
template <std::size_t N>
class Dual {
 public:
  Dual() = default;
  Dual(double constant) : value_(constant) {}  // NOLINT: implicit, as constants mix with dual numbers
  Dual(double value, std::size_t direction) : value_(value) { slopes_[direction] = 1.0; }

  double value() const noexcept { return value_; }
  double slope(std::size_t direction) const noexcept { return slopes_[direction]; }

  friend Dual operator+(const Dual& a, const Dual& b) noexcept {
    return chainRule(a.value_ + b.value_, 1.0, a, 1.0, b);
  }
  friend Dual operator-(const Dual& a, const Dual& b) noexcept {
    return chainRule(a.value_ - b.value_, 1.0, a, -1.0, b);
  }
  friend Dual operator-(const Dual& a) noexcept { return chainRule(-a.value_, -1.0, a, 0.0, a); }
  friend Dual operator*(const Dual& a, const Dual& b) noexcept {
    return chainRule(a.value_ * b.value_, b.value_, a, a.value_, b);
  }
  friend Dual operator/(const Dual& a, const Dual& b) noexcept {
    const double quotient = a.value_ / b.value_;
    return chainRule(quotient, 1.0 / b.value_, a, -quotient / b.value_, b);
  }
  friend Dual sqrt(const Dual& a) noexcept {
    const double root = std::sqrt(a.value_);
    return chainRule(root, 0.5 / root, a, 0.0, a);
  }
  friend bool operator>(const Dual& a, const Dual& b) noexcept { return a.value_ > b.value_; }
  friend bool operator<(const Dual& a, const Dual& b) noexcept { return a.value_ < b.value_; }
  friend bool operator>=(const Dual& a, const Dual& b) noexcept { return a.value_ >= b.value_; }
  friend bool operator<=(const Dual& a, const Dual& b) noexcept { return a.value_ <= b.value_; }
  friend bool operator==(const Dual& a, const Dual& b) noexcept { return a.value_ == b.value_; }
  friend bool operator!=(const Dual& a, const Dual& b) noexcept { return a.value_ != b.value_; }
  friend Dual select(bool condition, const Dual& yes, const Dual& no) noexcept {
    return condition ? yes : no;
  }

  /// Dual number of a function of one or two dual numbers, from its value and its partial derivatives.
  static Dual dualFromValueAndSlopes(double value, double byA, const Dual& a) noexcept {
    return chainRule(value, byA, a, 0.0, a);
  }
  static Dual dualFromValueAndSlopes(double value, double byA, const Dual& a, double byB,
                                     const Dual& b) noexcept {
    return chainRule(value, byA, a, byB, b);
  }

 private:
  static Dual chainRule(double value, double byA, const Dual& a, double byB, const Dual& b) noexcept {
    Dual result(value);
    for (std::size_t i = 0; i < N; ++i) result.slopes_[i] = byA * a.slopes_[i] + byB * b.slopes_[i];
    return result;
  }

  double value_{0.0};
  std::array<double, N> slopes_{};
};

}  // namespace ricochet
