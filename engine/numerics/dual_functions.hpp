#pragma once

#include "engine/numerics/dual.hpp"

#include <cmath>
#include <cstddef>

namespace ricochet {

/// Elementary functions of formulas on dual numbers. An infinite derivative is returned as a value that is
/// not finite; the caller handles such values.

template <std::size_t N>
Dual<N> sin(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::sin(x.value()), std::cos(x.value()), x);
}
template <std::size_t N>
Dual<N> cos(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::cos(x.value()), -std::sin(x.value()), x);
}
template <std::size_t N>
Dual<N> tan(const Dual<N>& x) noexcept {
  const double value = std::tan(x.value());
  return Dual<N>::dualFromValueAndSlopes(value, 1.0 + value * value, x);
}
template <std::size_t N>
Dual<N> asin(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::asin(x.value()), 1.0 / std::sqrt(1.0 - x.value() * x.value()),
                                         x);
}
template <std::size_t N>
Dual<N> acos(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::acos(x.value()), -1.0 / std::sqrt(1.0 - x.value() * x.value()),
                                         x);
}
template <std::size_t N>
Dual<N> atan(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::atan(x.value()), 1.0 / (1.0 + x.value() * x.value()), x);
}
template <std::size_t N>
Dual<N> sinh(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::sinh(x.value()), std::cosh(x.value()), x);
}
template <std::size_t N>
Dual<N> cosh(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::cosh(x.value()), std::sinh(x.value()), x);
}
template <std::size_t N>
Dual<N> tanh(const Dual<N>& x) noexcept {
  const double value = std::tanh(x.value());
  return Dual<N>::dualFromValueAndSlopes(value, 1.0 - value * value, x);
}
template <std::size_t N>
Dual<N> exp(const Dual<N>& x) noexcept {
  const double value = std::exp(x.value());
  return Dual<N>::dualFromValueAndSlopes(value, value, x);
}
template <std::size_t N>
Dual<N> log(const Dual<N>& x) noexcept {
  return Dual<N>::dualFromValueAndSlopes(std::log(x.value()), 1.0 / x.value(), x);
}
template <std::size_t N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) noexcept {
  const double square = x.value() * x.value() + y.value() * y.value();
  return Dual<N>::dualFromValueAndSlopes(std::atan2(y.value(), x.value()), x.value() / square, y,
                                         -y.value() / square, x);
}
template <std::size_t N>
Dual<N> pow(const Dual<N>& base, const Dual<N>& exponent) noexcept {
  const double b = base.value();
  const double e = exponent.value();
  const double value = std::pow(b, e);
  // a constant exponent contributes no derivative, so that the base may have no logarithm
  bool varies = false;
  for (std::size_t i = 0; i < N; ++i) varies = varies || exponent.slope(i) != 0.0;
  return Dual<N>::dualFromValueAndSlopes(value, e * std::pow(b, e - 1.0), base,
                                         varies ? std::log(b) * value : 0.0, exponent);
}

}  // namespace ricochet
