#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace ricochet {

/// Number of terms before the last two that are compared as well, since the last two may vanish: the series
/// of a slip with N ~ t^3 has every third term only. These terms count where they allow a step shorter by
/// this factor.
inline constexpr int kEarlierTerms = 8;
inline constexpr double kShorterByEarlierTerms = 1.5;

/// log2 of x with an error of at most kErrorOfEstimatedLog2, in a fraction of its time.
inline constexpr double kErrorOfEstimatedLog2 = 2e-3;
inline double estimatedBinaryLogarithm(double x) noexcept {
  if (!(x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max()))
    return std::log2(x);
  constexpr int kMantissa = 52, kBias = 1023;
  constexpr std::uint64_t kBitsOfMantissa = (std::uint64_t{1} << kMantissa) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double part =
      std::bit_cast<double>((bits & kBitsOfMantissa) | (std::uint64_t{kBias} << kMantissa)) - 1.0;
  return static_cast<double>(static_cast<int>(bits >> kMantissa) - kBias) + part +
         part * (1.0 - part) * (0.423 - 0.164 * part);
}

/// Step at which the last two terms of a series (orders `order` - 1 and `order`) equal the tolerance times
/// the first non-zero terms. `coefficient(k)`: size of coefficient k; `size(k)`: size of the reference
/// coefficient k. Infinite if the last two coefficients are zero. Estimates of the logarithms settle which of
/// the first terms decides, so that few powers are computed.
template <class Coefficient, class Size>
double longestStepResolvingSeries(int order, double tolerance, const Coefficient& coefficient,
                                  const Size& size) {
  constexpr int kMostTerms = 5;
  int first = 0;
  while (first + kMostTerms < order && !(size(static_cast<std::size_t>(first)) > 0.0)) ++first;
  double shortest = std::numeric_limits<double>::infinity();
  for (const int k : {order - 1, order}) {
    const double last = coefficient(static_cast<std::size_t>(k));
    if (!(last > 0.0)) continue;
    const int terms = std::min(kMostTerms, k - first);
    std::array<double, kMostTerms> ratio, most;
    double least = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < terms; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ratio[at] = tolerance * size(static_cast<std::size_t>(first + i)) / last;
      const double log = estimatedBinaryLogarithm(ratio[at]), part = 1.0 / (k - first - i);
      most[at] = (log + kErrorOfEstimatedLog2) * part;
      least = std::max(least, (log - kErrorOfEstimatedLog2) * part);
    }
    double longest = 0.0;
    for (int i = 0; i < terms; ++i)
      if (const auto at = static_cast<std::size_t>(i); most[at] >= least)
        longest = std::max(longest, std::pow(ratio[at], 1.0 / (k - first - i)));
    shortest = std::min(shortest, longest);
  }
  return shortest;
}

/// The same relative to 1, for a series in which more terms may vanish. The step of an earlier term, of order
/// k, is that of a series whose terms fall geometrically and reach the tolerance at the last order.
template <class Coefficient>
double longestStepResolvingSparseSeries(int order, double tolerance, const Coefficient& coefficient) {
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
inline double longestStepResolvingSeries(std::span<const double> series, int order, double tolerance) {
  const auto size = [series](std::size_t k) { return std::abs(series[k]); };
  return longestStepResolvingSeries(order, tolerance, size, size);
}

/// Step at which the last two terms of the derivative of a series equal the tolerance times its first terms;
/// coefficient `order` + 1 of the series must be known.
inline double longestStepResolvingRate(std::span<const double> series, int order, double tolerance) {
  const auto size = [series](std::size_t k) { return static_cast<double>(k + 1) * std::abs(series[k + 1]); };
  return longestStepResolvingSeries(order, tolerance, size, size);
}

}  // namespace ricochet
