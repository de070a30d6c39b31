#include "verification/cross_check/load_function.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace ricochet::cross {
namespace {

/// Sums `orders` terms c_j tau^j of phi and of its integrals; `next` gives c_0, c_1, ...
template <class Next>
LoadFunction::Values sumOfTerms(double tau, int orders, Next&& next) {
  LoadFunction::Values sum;
  double power = 1.0;
  for (int j = 0; j < orders; ++j) {
    const double term = next(j) * power;
    sum.value += term;
    sum.integral += term * tau / (j + 1);
    sum.twice += term * tau * tau / ((j + 1) * (j + 2));
    power *= tau;
  }
  return sum;
}

/// For small tau the closed forms lose digits by cancellation; the Taylor series is summed instead.
LoadFunction::Values sineValues(double a, double w, double t0, double tau) {
  if (std::abs(w * tau) < 1.0) {
    constexpr int kOrders = 20;  // 1/20! is below rounding
    double derivative = a;
    const std::array<double, 4> cycle{std::sin(w * t0), std::cos(w * t0), -std::sin(w * t0),
                                      -std::cos(w * t0)};
    return sumOfTerms(tau, kOrders, [&](int j) {
      if (j > 0) derivative *= w / j;
      return derivative * cycle[static_cast<std::size_t>(j % 4)];
    });
  }
  const double t = t0 + tau;
  return {.value = a * std::sin(w * t),
          .integral = a * (std::cos(w * t0) - std::cos(w * t)) / w,
          .twice = a * (tau * std::cos(w * t0) - (std::sin(w * t) - std::sin(w * t0)) / w) / w};
}

LoadFunction::Values powerValues(double a, double p, double t0, double tau) {
  if (tau < 0.3 * t0) {
    constexpr int kOrders = 32;  // 0.3^32 is below rounding
    double coefficient = a * std::pow(t0, p);
    return sumOfTerms(tau, kOrders, [&](int j) {
      if (j > 0) coefficient *= (p - j + 1) / (j * t0);
      return coefficient;
    });
  }
  const double t = t0 + tau;
  const double first = a / (p + 1.0), second = first / (p + 2.0);
  const double start = std::pow(t0, p + 1.0);
  return {.value = a * std::pow(t, p),
          .integral = first * (std::pow(t, p + 1.0) - start),
          .twice = second * (std::pow(t, p + 2.0) - start * t0) - first * start * tau};
}

}  // namespace

LoadFunction::Values LoadFunction::values(double t0, double tau) const {
  switch (kind) {
    case Kind::constant:
      break;
    case Kind::ramp: {
      if (t0 >= parameter) {
        const double held = amplitude * parameter;
        return {held, held * tau, 0.5 * held * tau * tau};
      }
      return {amplitude * (t0 + tau), amplitude * tau * (t0 + 0.5 * tau),
              amplitude * tau * tau * (0.5 * t0 + tau / 6.0)};
    }
    case Kind::sine:
      return sineValues(amplitude, parameter, t0, tau);
    case Kind::power:
      return powerValues(amplitude, parameter, t0, tau);
  }
  return {amplitude, amplitude * tau, 0.5 * amplitude * tau * tau};
}

HalfSeries LoadFunction::seriesAt(double t0) const {
  HalfSeries series{};
  switch (kind) {
    case Kind::constant:
      series[0] = amplitude;
      break;
    case Kind::ramp:
      series[0] = amplitude * std::fmin(t0, parameter);
      if (t0 < parameter) series[2] = amplitude;
      break;
    case Kind::sine: {
      double derivative = amplitude;
      for (int j = 0; 2 * j < kTerms; ++j) {
        if (j > 0) derivative *= parameter / j;
        series[static_cast<std::size_t>(2 * j)] =
            derivative * std::sin(parameter * t0 + 0.5 * std::numbers::pi * (j % 4));
      }
      break;
    }
    case Kind::power: {
      if (t0 == 0.0) {  // a single term, of the order 2 p in sqrt(tau)
        const auto order = static_cast<std::size_t>(std::lround(2.0 * parameter));
        if (order < series.size()) series[order] = amplitude;
        break;
      }
      double coefficient = amplitude * std::pow(t0, parameter);
      for (int j = 0; 2 * j < kTerms; ++j) {
        if (j > 0) coefficient *= (parameter - j + 1) / (j * t0);
        series[static_cast<std::size_t>(2 * j)] = coefficient;
      }
      break;
    }
  }
  return series;
}

}  // namespace ricochet::cross
