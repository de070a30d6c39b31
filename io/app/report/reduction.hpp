#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// Rows of a history that a page draws. Up to 3 x `buckets` rows are drawn one by one. More rows are divided
/// into buckets of neighbours; of each the lowest and the highest value are drawn, in their order, at the
/// instants of its first and its last row, so that no peak is lost.
class RowReduction {
 public:
  RowReduction(std::size_t rows, std::size_t buckets)
      : rows_(rows), buckets_(rows > 3 * buckets ? buckets : 0) {}

  bool isHistoryReduced() const noexcept { return buckets_ > 0; }

  std::vector<double> drawnTimes(std::span<const double> time) const;
  std::vector<double> drawnValues(std::span<const double> history) const;

  /// Every how many rows one is drawn when histories share their rows, so that at most as many points as
  /// buckets are drawn.
  std::size_t sharedRowStride() const noexcept {
    return isHistoryReduced() ? (rows_ + buckets_ - 1) / buckets_ : 1;
  }
  std::vector<double> valuesAtSharedRows(std::span<const double> history) const;

 private:
  std::size_t firstRowOfBucket(std::size_t bucket) const noexcept { return bucket * rows_ / buckets_; }

  std::size_t rows_;
  std::size_t buckets_;  // 0: every row is drawn
};

/// A part of a run in which a contact has one state.
struct StateSpan {
  double from, to;  ///< [s]
  int state;        ///< state, or kSeveralStates
};

/// State of a span with more changes than can be drawn.
inline constexpr int kSeveralStates = -1;

/// Merges short neighbouring intervals if there are more than `most`.
std::vector<StateSpan> mergeShortStateSpans(std::vector<StateSpan> spans, std::size_t most);

}  // namespace ricochet
