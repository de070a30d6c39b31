#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace ricochet {

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
