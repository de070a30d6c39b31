#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace ricochet {

/// Number of terms before the last two that are compared as well, since the last two may vanish: the series
/// of a slip with N ~ t^3 has every third term only. These terms count where they allow a step shorter by
/// this factor.
inline constexpr int kEarlierTerms = 8;
inline constexpr double kShorterByEarlierTerms = 1.5;

/// Step at which the last two terms of a series (orders `order` - 1 and `order`) equal the tolerance times
/// the first non-zero terms. `coefficient(k)`: size of coefficient k; `size(k)`: size of the reference
/// coefficient k. Infinite if the last two coefficients are zero.
template <class Coefficient, class Size>
double stepResolvingSeries(int order, double tolerance, const Coefficient& coefficient, const Size& size) {
  constexpr int kMostTerms = 5;
  int first = 0;
  while (first + kMostTerms < order && !(size(static_cast<std::size_t>(first)) > 0.0)) ++first;
  double shortest = std::numeric_limits<double>::infinity();
  for (const int k : {order - 1, order}) {
    const double last = coefficient(static_cast<std::size_t>(k));
    if (!(last > 0.0)) continue;
    double longest = 0.0;
    for (int j = first; j < std::min(first + kMostTerms, k); ++j)
      longest =
          std::max(longest, std::pow(tolerance * size(static_cast<std::size_t>(j)) / last, 1.0 / (k - j)));
    shortest = std::min(shortest, longest);
  }
  return shortest;
}

/// The same relative to 1, for a series in which more terms may vanish. The step of an earlier term, of order
/// k, is that of a series whose terms fall geometrically and reach the tolerance at the last order.
template <class Coefficient>
double stepResolvingSparseSeries(int order, double tolerance, const Coefficient& coefficient) {
  double shortest = std::numeric_limits<double>::infinity();
  const auto stepAt = [&](int k, double allowed) {
    const double term = coefficient(static_cast<std::size_t>(k));
    return term > 0.0 ? std::pow(allowed / term, 1.0 / k) : std::numeric_limits<double>::infinity();
  };
  for (const int k : {order - 1, order}) shortest = std::min(shortest, stepAt(k, tolerance));
  const double termRatio = std::pow(tolerance, 1.0 / order);
  for (int k = order - 2; k >= std::max(1, order - 1 - kEarlierTerms); --k)
    if (const double step = termRatio * stepAt(k, 1.0); kShorterByEarlierTerms * step < shortest)
      shortest = step;
  return shortest;
}

/// Step at which the last two terms of a series equal the tolerance times its first terms.
inline double stepResolvingSeries(std::span<const double> series, int order, double tolerance) {
  const auto size = [series](std::size_t k) { return std::abs(series[k]); };
  return stepResolvingSeries(order, tolerance, size, size);
}

/// Step at which the last two terms of the derivative of a series equal the tolerance times its first terms;
/// coefficient `order` + 1 of the series must be known.
inline double stepResolvingRate(std::span<const double> series, int order, double tolerance) {
  const auto size = [series](std::size_t k) { return static_cast<double>(k + 1) * std::abs(series[k + 1]); };
  return stepResolvingSeries(order, tolerance, size, size);
}

}  // namespace ricochet
