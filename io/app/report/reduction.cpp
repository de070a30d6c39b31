#include "io/app/report/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

std::vector<double> RowReduction::drawnTimes(std::span<const double> time) const {
  if (!isHistoryReduced()) return {time.begin(), time.end()};
  std::vector<double> drawn;
  drawn.reserve(2 * buckets_);
  for (std::size_t b = 0; b < buckets_; ++b) {
    drawn.push_back(time[firstRowOfBucket(b)]);
    drawn.push_back(time[firstRowOfBucket(b + 1) - 1]);
  }
  return drawn;
}

std::vector<double> RowReduction::drawnValues(std::span<const double> history) const {
  if (!isHistoryReduced()) return {history.begin(), history.end()};
  std::vector<double> drawn;
  drawn.reserve(2 * buckets_);
  for (std::size_t b = 0; b < buckets_; ++b) {
    std::size_t low = rows_, high = rows_;  // rows_: no row found yet
    for (std::size_t i = firstRowOfBucket(b); i < firstRowOfBucket(b + 1); ++i) {
      if (!std::isfinite(history[i])) continue;
      if (low == rows_ || history[i] < history[low]) low = i;
      if (high == rows_ || history[i] > history[high]) high = i;
    }
    const double none = std::numeric_limits<double>::quiet_NaN();
    drawn.push_back(low == rows_ ? none : history[std::min(low, high)]);
    drawn.push_back(low == rows_ ? none : history[std::max(low, high)]);
  }
  return drawn;
}

std::vector<double> RowReduction::valuesAtSharedRows(std::span<const double> history) const {
  std::vector<double> drawn;
  for (std::size_t i = 0; i < history.size(); i += sharedRowStride()) drawn.push_back(history[i]);
  return drawn;
}

std::vector<StateSpan> mergeShortStateSpans(std::vector<StateSpan> spans, std::size_t most) {
  if (spans.size() <= most) return spans;
  const double shortest = 2.0 * (spans.back().to - spans.front().from) / static_cast<double>(most);
  std::vector<StateSpan> joined;
  for (const StateSpan& span : spans) {
    const bool isShort = span.to - span.from < shortest;
    if (isShort && !joined.empty() && joined.back().state == kSeveralStates &&
        span.to - joined.back().from < shortest) {
      joined.back().to = span.to;
    } else {
      joined.push_back(isShort ? StateSpan{span.from, span.to, kSeveralStates} : span);
    }
  }
  return joined;
}

}  // namespace ricochet
