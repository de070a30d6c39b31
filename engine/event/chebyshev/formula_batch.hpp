#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace ricochet {

class Formula;

/// Values of one quantity at kCount instants. A formula that is evaluated in this arithmetic gives its values
/// at all instants at once.
class Instants {
 public:
  static constexpr std::size_t kCount = 16;

  Instants() = default;
  Instants(double all) noexcept { values_.fill(all); }  // NOLINT: numbers mix with it as with doubles
  explicit Instants(std::span<const double, kCount> values) noexcept {
    for (std::size_t i = 0; i < kCount; ++i) values_[i] = values[i];
  }
  const std::array<double, kCount>& values() const noexcept { return values_; }

  /// A comparison, instant by instant.
  using Condition = std::array<bool, kCount>;

  friend Instants operator-(const Instants& a) noexcept { return -1.0 * a; }
  friend Instants operator+(const Instants& a, const Instants& b) noexcept {
    return applyToEachInstant([](double x, double y) { return x + y; }, a, b);
  }
  friend Instants operator-(const Instants& a, const Instants& b) noexcept {
    return applyToEachInstant([](double x, double y) { return x - y; }, a, b);
  }
  friend Instants operator*(const Instants& a, const Instants& b) noexcept {
    return applyToEachInstant([](double x, double y) { return x * y; }, a, b);
  }
  friend Instants operator/(const Instants& a, const Instants& b) noexcept {
    return applyToEachInstant([](double x, double y) { return x / y; }, a, b);
  }
  friend Condition operator<(const Instants& a, const Instants& b) noexcept {
    return compareAtEachInstant([](double x, double y) { return x < y; }, a, b);
  }
  friend Condition operator<=(const Instants& a, const Instants& b) noexcept {
    return compareAtEachInstant([](double x, double y) { return x <= y; }, a, b);
  }
  friend Condition operator==(const Instants& a, const Instants& b) noexcept {
    return compareAtEachInstant([](double x, double y) { return x == y; }, a, b);
  }
  friend Condition operator!=(const Instants& a, const Instants& b) noexcept {
    return compareAtEachInstant([](double x, double y) { return x != y; }, a, b);
  }
  friend Condition operator>(const Instants& a, const Instants& b) noexcept { return b < a; }
  friend Condition operator>=(const Instants& a, const Instants& b) noexcept { return b <= a; }
  friend Instants select(const Condition& condition, const Instants& yes, const Instants& no) noexcept {
    Instants chosen = no;
    for (std::size_t i = 0; i < kCount; ++i)
      if (condition[i]) chosen.values_[i] = yes.values_[i];
    return chosen;
  }

  friend Instants sin(const Instants& a) noexcept;
  friend Instants cos(const Instants& a) noexcept;
  friend Instants tan(const Instants& a) noexcept { return applyToEachInstant<std::tan>(a); }
  friend Instants asin(const Instants& a) noexcept { return applyToEachInstant<std::asin>(a); }
  friend Instants acos(const Instants& a) noexcept { return applyToEachInstant<std::acos>(a); }
  friend Instants atan(const Instants& a) noexcept { return applyToEachInstant<std::atan>(a); }
  friend Instants sinh(const Instants& a) noexcept { return applyToEachInstant<std::sinh>(a); }
  friend Instants cosh(const Instants& a) noexcept { return applyToEachInstant<std::cosh>(a); }
  friend Instants tanh(const Instants& a) noexcept { return applyToEachInstant<std::tanh>(a); }
  friend Instants exp(const Instants& a) noexcept { return applyToEachInstant<std::exp>(a); }
  friend Instants log(const Instants& a) noexcept { return applyToEachInstant<std::log>(a); }
  friend Instants sqrt(const Instants& a) noexcept { return applyToEachInstant<std::sqrt>(a); }
  friend Instants pow(const Instants& a, const Instants& b) noexcept {
    return applyToEachInstant([](double x, double y) { return std::pow(x, y); }, a, b);
  }
  friend Instants atan2(const Instants& a, const Instants& b) noexcept {
    return applyToEachInstant([](double x, double y) { return std::atan2(x, y); }, a, b);
  }

 private:
  template <class Function>
  static Instants applyToEachInstant(Function&& function, const Instants& a, const Instants& b) noexcept {
    Instants result;
    for (std::size_t i = 0; i < kCount; ++i) result.values_[i] = function(a.values_[i], b.values_[i]);
    return result;
  }
  template <double (*function)(double)>
  static Instants applyToEachInstant(const Instants& a) noexcept {
    Instants result;
    for (std::size_t i = 0; i < kCount; ++i) result.values_[i] = function(a.values_[i]);
    return result;
  }
  template <class Comparison>
  static Condition compareAtEachInstant(Comparison&& comparison, const Instants& a,
                                        const Instants& b) noexcept {
    Condition result;
    for (std::size_t i = 0; i < kCount; ++i) result[i] = comparison(a.values_[i], b.values_[i]);
    return result;
  }

  alignas(64) std::array<double, kCount> values_{};
};

template <>
struct MaskOf<Instants> {
  using Type = Instants::Condition;
};

/// Values of a formula of the time at all instants.
Instants formulaValuesAtInstants(const Formula& formula, const Instants& times);

}  // namespace ricochet
