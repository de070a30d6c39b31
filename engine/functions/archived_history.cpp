#include "engine/functions/archived_history.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ricochet {
namespace {

constexpr double kSameInstant = 1e-9;     // of the time between two rows
constexpr double kCurveTolerance = 1e-3;  // departure from the cubic, of half the range of the history

/// Departure of a cubic from its chord, over u from 0 to 1.
struct Departure {
  double begin{0.0}, end{0.0};  // differences of the rates from the slope of the chord, times the width
  double at(double u) const noexcept { return u * (1.0 - u) * ((1.0 - u) * begin - u * end); }
  double integral() const noexcept { return (begin - end) / 12.0; }
  /// Largest distance from the chord if the curvature were the largest one everywhere.
  double bound() const noexcept {
    return std::max(std::abs(2.0 * begin + end), std::abs(begin + 2.0 * end)) / 4.0;
  }
};

class PieceBuilder {
 public:
  explicit PieceBuilder(const ArchivedHistory& history) : h_(history) {
    const auto [low, high] = std::ranges::minmax(h_.values);
    halfRange_ = 0.5 * (high - low);
    largest_ = std::max(std::abs(low), std::abs(high));
  }

  HistoryPieces build() {
    const std::size_t rows = h_.times.size();
    follows_.assign(rows, false);
    for (std::size_t i = 0; i + 1 < rows; ++i) {
      addRow(i);
      if ((h_.rates.empty() && h_.integrals.empty()) || !(width(i) > 0.0) || doesPieceContainEvent(i))
        continue;
      follows_[i] =
          h_.rates.empty() ? isParabolaConsistent(i) : isRateConsistent(i) && isRateConsistent(i + 1);
      if (follows_[i])
        addPointsInside(i);
      else
        recordContradictionOfRates(i);
    }
    addRow(rows - 1);
    const double duration = h_.times.back() - h_.times.front();
    constexpr double kNoticeable = 0.02;
    made_.resolved = contradicted_ <= kNoticeable * duration;
    made_.omitted = shareOfOmittedRows();
    return std::move(made_);
  }

 private:
  double width(std::size_t i) const noexcept { return h_.times[i + 1] - h_.times[i]; }
  double slope(std::size_t i) const noexcept { return (h_.values[i + 1] - h_.values[i]) / width(i); }

  void addRow(std::size_t i) {
    made_.times.push_back(h_.times[i]);
    made_.values.push_back(h_.values[i]);
  }

  /// True if an event lies within the piece or at its end, whose rate is that after the event.
  bool doesPieceContainEvent(std::size_t i) const noexcept {
    const double rounding = kSameInstant * width(i);
    const auto next = std::ranges::upper_bound(h_.events, h_.times[i] + rounding);
    return next != h_.events.end() && *next <= h_.times[i + 1] + rounding;
  }

  bool isRowAtEvent(std::size_t i) const noexcept {
    const double rounding = kSameInstant * (h_.times[i + 1] - h_.times[i - 1]);
    const auto next = std::ranges::lower_bound(h_.events, h_.times[i] - rounding);
    return next != h_.events.end() && *next <= h_.times[i] + rounding;
  }

  double chordSlopeOrDefault(std::size_t i, double otherwise) const noexcept {
    return i + 1 < h_.times.size() && width(i) > 0.0 ? slope(i) : otherwise;
  }

  /// True if the rates of a parabola at its ends agree with the changes to the neighbouring rows.
  bool isParabolaConsistent(std::size_t i) const noexcept {
    const double here = slope(i), before = i > 0 ? chordSlopeOrDefault(i - 1, here) : here,
                 after = chordSlopeOrDefault(i + 1, here);
    return std::abs(departureOfRowsFromChord(i, i + 1).begin) <=
           width(i) * std::max({std::abs(here), std::abs(before), std::abs(after)});
  }

  /// True if the rate of a row agrees with the changes to its neighbours.
  bool isRateConsistent(std::size_t i) const noexcept {
    const bool hasBefore = i > 0 && width(i - 1) > 0.0;
    const bool hasAfter = i + 1 < h_.times.size() && width(i) > 0.0;
    const double after = hasAfter ? slope(i) : slope(i - 1), before = hasBefore ? slope(i - 1) : after;
    return std::abs(h_.rates[i] - 0.5 * (before + after)) <=
           std::max({std::abs(before), std::abs(after), std::abs(after - before)});
  }

  /// Departure from the chord from row `i` to row `j`.
  Departure departureOfRowsFromChord(std::size_t i, std::size_t j) const noexcept {
    const double width = h_.times[j] - h_.times[i], change = h_.values[j] - h_.values[i];
    if (!h_.rates.empty()) return {width * h_.rates[i] - change, width * h_.rates[j] - change};
    const double mean = (h_.integrals[j] - h_.integrals[i]) / width;
    const double bulge = 6.0 * (mean - 0.5 * (h_.values[i] + h_.values[j]));
    return {bulge, -bulge};
  }

  void recordContradictionOfRates(std::size_t i) noexcept {
    const Departure d = departureOfRowsFromChord(i, i + 1);
    if (std::max(std::abs(d.begin), std::abs(d.end)) > kCurveTolerance * largest_) contradicted_ += width(i);
  }

  /// Adds points between two rows. Chords of a cubic lie on the inner side of its bends; the points are moved
  /// outwards until the integral is that of the cubic.
  void addPointsInside(std::size_t i) {
    constexpr double kStraight = 1e-2;  // of the tolerance
    constexpr double kMostParts = 16.0;
    const Departure d = departureOfRowsFromChord(i, i + 1);
    const double distance = d.bound(), allowed = kCurveTolerance * halfRange_;
    if (!(distance > kStraight * allowed)) return;
    const double parts = std::clamp(std::ceil(std::sqrt(distance / allowed)), 2.0, kMostParts);
    double sum = 0.0;
    for (double k = 1.0; k < parts; ++k) sum += d.at(k / parts);
    const double outwards = (parts * d.integral() - sum) / (parts - 1.0);
    for (double k = 1.0; k < parts; ++k) {
      const double u = k / parts, t = h_.times[i] + u * width(i);
      if (!(t > made_.times.back() && t < h_.times[i + 1])) continue;
      made_.times.push_back(t);
      made_.values.push_back(std::lerp(h_.values[i], h_.values[i + 1], u) + d.at(u) + outwards);
    }
  }

  /// Mean distance of the pieces from the history at row i and its neighbours, from the value that pieces
  /// without this row would have there: between even rows, straight pieces are as far from a parabola, on
  /// the mean, as a sixth of this difference, and cubics from a polynomial of degree 4 as a thirtieth.
  /// Parabolas keep the integral; a sixth is the share of the amplitude of a sine that they lose.
  double meanInterpolationErrorAroundRow(std::size_t i) const noexcept {
    constexpr double kOfStraight = 1.0 / 6.0, kOfCubic = 1.0 / 30.0;
    const double u = width(i - 1) / (h_.times[i + 1] - h_.times[i - 1]);
    const double fromChord = h_.values[i] - std::lerp(h_.values[i - 1], h_.values[i + 1], u);
    if (!follows_[i - 1] || !follows_[i])
      return h_.integrals.empty() ? kOfStraight * std::abs(fromChord) : 0.0;
    return (h_.rates.empty() ? kOfStraight : kOfCubic) *
           std::abs(fromChord - departureOfRowsFromChord(i - 1, i + 1).at(u));
  }

  /// Part of the known integral that a straight piece lacks, such as that of an impact between two rows.
  double integralMissedByStraightPiece(std::size_t i) const noexcept {
    if (h_.integrals.empty() || follows_[i]) return 0.0;
    return std::abs(h_.integrals[i + 1] - h_.integrals[i] -
                    0.5 * width(i) * (h_.values[i] + h_.values[i + 1]));
  }

  double shareOfOmittedRows() const noexcept {
    double integral = 0.0, size = 0.0, error = 0.0;
    const std::size_t last = h_.times.size() - 1;
    for (std::size_t i = 0; i < last; ++i) integral += 0.5 * width(i) * (h_.values[i] + h_.values[i + 1]);
    const double duration = h_.times[last] - h_.times[0];
    const double mean = integral / duration;
    for (std::size_t i = 0; i < last; ++i)
      size += 0.5 * width(i) * (std::abs(h_.values[i] - mean) + std::abs(h_.values[i + 1] - mean));
    for (std::size_t i = 0; i < last; ++i) error += integralMissedByStraightPiece(i);
    for (std::size_t i = 1; i < last; ++i)
      if (width(i - 1) > 0.0 && width(i) > 0.0 && !isRowAtEvent(i))
        error += 0.5 * (h_.times[i + 1] - h_.times[i - 1]) * meanInterpolationErrorAroundRow(i);
    constexpr double kRounding = 1e-9;  // of the largest value
    return error > 0.0 ? error / std::max(size, kRounding * largest_ * duration) : 0.0;
  }

  const ArchivedHistory& h_;
  double halfRange_{0.0}, largest_{0.0};
  double contradicted_{0.0};  // time during which rates contradict the rows [s]
  std::vector<bool> follows_;
  HistoryPieces made_;
};

}  // namespace

HistoryPieces approximateByStraightPieces(const ArchivedHistory& history) {
  return PieceBuilder(history).build();
}

}  // namespace ricochet
