#pragma once

#include "engine/numerics/extremes.hpp"
#include "engine/numerics/polynomial_kernel.hpp"
#include "engine/numerics/state.hpp"

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
    lowest = smallerValueOrNan(lowest, value);
    highest = largerValueOrNan(highest, value);
  }
  /// Makes the range symmetric about zero.
  void makeRangeSymmetricAboutZero() noexcept {
    highest = largerValueOrNan(highest, -lowest);
    lowest = -highest;
  }
  bool contains(double least, double most) const noexcept { return least >= lowest && most <= highest; }
};

inline constexpr std::size_t kMostCoefficients = kernels::kMostPolynomialTerms;

/// A polynomial on an interval, x from 0 to 1 over it. Bounds of its values show whether extremes inside the
/// interval can matter for a range: at first those of its terms, and once it has been sampled, narrower ones
/// about its values at the ends of equal cells. Only where these exceed the range are the extremes sought, at
/// the roots of the derivative. A piece may wait for each of these, since another piece often makes them
/// superfluous.
class PolynomialPiece {
 public:
  /// Sets the piece to p(t) = p[0] + p[1] t + ... on [0, end], and adds its values at the ends to the range.
  /// False if it holds no extreme that would increase the range. At most kMostCoefficients.
  bool set(std::span<const double> p, double end, ValueRange& range) noexcept;

  bool isSampled() const noexcept { return isSampled_; }
  /// Adds the values at the ends of the cells to the range, and narrows the bounds.
  void sample(ValueRange& range) noexcept;

  /// True if the bounds of the values exceed the range.
  bool canExtendRange(const ValueRange& range) const noexcept {
    return !range.contains(bounds_.lowest, bounds_.highest);
  }
  /// How far the bounds of the values exceed the range.
  double excessOverRange(const ValueRange& range) const noexcept {
    return largerValueOrNan(bounds_.highest - range.highest, range.lowest - bounds_.lowest);
  }
  /// Adds the extremes between the ends of the cells of a sampled piece to the range.
  void includeExtremes(ValueRange& range) const noexcept;

 private:
  friend class ExtremesOfPiece;
  static constexpr std::size_t kCells = kernels::kGrid;
  static constexpr std::size_t kAhead = kLanes - 1;  // aligns the values behind the first
  using Values = std::array<double, kAhead + 1 + kCells>;

  std::size_t count_{0};  // number of coefficients that matter
  bool isSampled_{false};
  double sag_{0.0};  // largest distance of p from its chords over the cells, but for rounding
  double rounding_{0.0};
  double size_{0.0};       // sum of the sizes of the terms after the first
  double bendAtEnd_{0.0};  // p''(1)
  double bendSag_{0.0};    // largest distance of p'' from its chords over the cells
  ValueRange bounds_;
  alignas(64) std::array<double, kMostCoefficients> terms_;  // terms at the end of the interval
  alignas(64) Values values_;                                // entry kAhead + i: at i / kCells
};

/// Adds the values of p(t) = p[0] + p[1] t + ... on [0, end] to a range: the ends and the extremes between
/// them, at the roots of p'. At most kMostCoefficients coefficients.
void includePolynomialValuesInRange(ValueRange& range, std::span<const double> p, double end) noexcept;

/// Polynomial on [0, 1] through samples at the Gauss points: adds its values to a range, and computes its
/// integral.
class SampledPolynomial {
 public:
  static constexpr std::size_t kSamples = 14;
  using Samples = std::array<double, kSamples>;

  /// Gauss points in (0, 1), and their weights, whose sum is 1.
  static const Samples& samplePoints() noexcept;
  static const Samples& sampleWeights() noexcept;

  static void include(ValueRange& range, const Samples& samples) noexcept;

  /// True if the polynomial resolves the sampled quantity: the last two coefficients of its Legendre series,
  /// (2k + 1) sum w f P_k, are negligible. A kink, as in a gap whose nearest side changes, makes them of
  /// order 1/k^2, and the polynomial overshoots.
  static bool isResolved(const Samples& samples) noexcept;
};

}  // namespace ricochet
