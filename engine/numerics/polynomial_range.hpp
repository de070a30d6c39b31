#pragma once

#include "engine/numerics/extremes.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace ricochet {

/// Smallest and largest value of a quantity so far. A NaN stays.
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

/// The polynomial on [0, 1] through samples at the Gauss points: its values as above, and its integral.
class SampledPolynomial {
 public:
  static constexpr std::size_t kSamples = 14;
  using Samples = std::array<double, kSamples>;

  /// The Gauss points in (0, 1), and the weights, whose sum is 1.
  static const Samples& points() noexcept;
  static const Samples& weights() noexcept;

  static void include(ValueRange& range, const Samples& samples) noexcept;

  /// Whether the polynomial resolves the sampled quantity: the last two coefficients of its Legendre series,
  /// (2k + 1) sum w f P_k, have died away. A kink, as of a gap where its nearest side changes, leaves them of
  /// order 1/k^2, and the polynomial overshoots.
  static bool isResolved(const Samples& samples) noexcept;
};

}  // namespace ricochet
