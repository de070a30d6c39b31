#pragma once

#include "engine/numerics/extremes.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace ricochet {

/// Smallest and largest value of a quantity so far. A NaN is kept.
struct ValueRange {
  double lowest{std::numeric_limits<double>::infinity()};
  double highest{-std::numeric_limits<double>::infinity()};

  void include(double value) noexcept {
    lowest = smaller(lowest, value);
    highest = larger(highest, value);
  }
  bool contains(double least, double most) const noexcept { return least >= lowest && most <= highest; }
};

/// Adds the values of p(t) = p[0] + p[1] t + ... on [0, end] to a range: the ends and the extremes between
/// them, at the roots of p'. Bounds by the coefficients settle most intervals without a root. At most
/// kMostCoefficients coefficients.
inline constexpr std::size_t kMostCoefficients = 64;
void includePolynomial(ValueRange& range, std::span<const double> p, double end) noexcept;

/// Polynomial on [0, 1] through samples at the Gauss points: adds its values to a range, and computes its
/// integral.
class SampledPolynomial {
 public:
  static constexpr std::size_t kSamples = 14;
  using Samples = std::array<double, kSamples>;

  /// Gauss points in (0, 1), and their weights, whose sum is 1.
  static const Samples& points() noexcept;
  static const Samples& weights() noexcept;

  static void include(ValueRange& range, const Samples& samples) noexcept;

  /// True if the polynomial resolves the sampled quantity: the last two coefficients of its Legendre series,
  /// (2k + 1) sum w f P_k, are negligible. A kink, as in a gap whose nearest side changes, makes them of
  /// order 1/k^2, and the polynomial overshoots.
  static bool isResolved(const Samples& samples) noexcept;
};

}  // namespace ricochet
