#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace ricochet {

/// Terms before the last two that limit a step where the last two vanish, as in the series of a slip with N ~
/// t^3, which has every third term only; and the factor by which these allow a shorter step.
inline constexpr int kEarlierTerms = 8;
inline constexpr double kShorterByEarlierTerms = 1.5;

/// Step at which the last two terms of a series (orders `order` - 1 and `order`) equal the tolerance times
/// the first non-zero terms. `coefficient(k)`: size of coefficient k; `size(k)`: size of the reference
/// coefficient k. If the last two vanish, the step of earlier terms: at order k it is that of a series whose
/// terms fall geometrically, and which reaches the tolerance at the last order. Infinite if all of these are
/// zero.
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
  const double reference = size(static_cast<std::size_t>(first));
  if (!(reference > 0.0)) return shortest;
  const double fall = std::pow(tolerance, 1.0 / (order - first));
  const double ratio = shortest / (kShorterByEarlierTerms * fall);
  const int earliest = std::max(order - 1 - kEarlierTerms, first + kMostTerms);
  double power = std::pow(ratio, earliest - first);
  for (int k = earliest; k < order - 1; ++k, power *= ratio) {
    const double term = coefficient(static_cast<std::size_t>(k));
    if (!(term * power > reference)) continue;
    double longest = 0.0;
    for (int j = first; j < first + kMostTerms; ++j)
      longest = std::max(longest, std::pow(tolerance, 1.0 / (order - j)) *
                                      std::pow(size(static_cast<std::size_t>(j)) / term, 1.0 / (k - j)));
    if (kShorterByEarlierTerms * longest < shortest) shortest = longest;
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
