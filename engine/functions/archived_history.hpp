#pragma once

#include <span>
#include <vector>

namespace ricochet {

/// A history as a result holds it: values at rows, and what is known of the time between them.
struct ArchivedHistory {
  std::span<const double> times;        ///< [s], not decreasing
  std::span<const double> values;       ///< at the times
  std::span<const double> rates{};      ///< derivatives by time just after the times; empty: unknown
  std::span<const double> events{};     ///< instants at which rates may jump [s], not decreasing
  std::span<const double> integrals{};  ///< antiderivative at the times; empty: unknown
};

/// A history in straight pieces.
struct HistoryPieces {
  std::vector<double> times, values;
  /// Estimate of the mean distance of the pieces from the history, relative to the mean distance of the
  /// history from its mean.
  double omitted{0.0};
  /// False if the rates contradict the rows during a noticeable part of the time: the history then moves
  /// faster than its rows tell.
  bool resolved{true};
};

/// Straight pieces through the rows of a history. Between two rows without an event they follow the cubic
/// with their values and rates (Hermite), or the parabola with their values and integral, from which they
/// depart by about a thousandth of half the range, and whose integral they have: the response to them is
/// neither low nor high. Rates (of the parabola too) that differ from the changes to the neighbouring rows by
/// more than these changes are not used, so that the pieces do not overshoot.
HistoryPieces approximateByStraightPieces(const ArchivedHistory& history);

}  // namespace ricochet
