#pragma once

#include "io/app/batch/batch_file.hpp"

#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

/// Consecutive variants of one group.
struct VariantRange {
  std::size_t first{0};
  std::size_t count{0};
};

/// Summary of a batch: its complete, failed and missing variants.
struct BatchSummary {
  std::size_t cases{0};
  std::size_t complete{0};
  std::size_t before{0};  ///< number of variants done by the earlier runs that this run resumed
  std::vector<std::size_t> failed;
  std::vector<std::string> reasons;  ///< reason of each failure, in the order of `failed`
  std::vector<std::size_t> missing;  ///< variants that were not run: interrupted, or lost with a process
  /// Wall time [s] and case of the slowest variants, the slowest first.
  std::vector<std::pair<double, std::size_t>> slowest;
  std::vector<std::string> advice;  ///< what looks odd in the deck; empty if the batch was resumed
  double seconds{0.0};
  bool interrupted{false};
};

/// Distributes the variants of a batch that are still to be run, group by group, and writes the returned
/// blocks to the file. Thread-safe.
class BatchQueue {
 public:
  BatchQueue(const VariantPlan& plan, BatchFile& file, std::size_t historyRows);

  /// The next range, sized for a wall time of about a fifth of a second; empty if no variant is left.
  std::optional<VariantRange> takeNextVariantRange();
  /// Returns a range that will not be run to the queue.
  void returnVariantRange(const VariantRange& range);

  /// Writes a block. Throws ResultError.
  void storeVariantBlock(const VariantBlock& block);

  /// Stores the first failure and ends the distribution of ranges.
  void storeFirstFailure(std::exception_ptr failure);
  std::exception_ptr firstFailure();

  std::size_t doneVariantCount();
  bool areAllVariantsTaken();
  std::size_t pendingVariantCount() const noexcept { return toDo_; }
  std::size_t historyRows() const noexcept { return historyRows_; }

  BatchSummary summaryOfQueue();

 private:
  std::size_t rangeSize() const;

  const VariantPlan& plan_;
  BatchFile& file_;
  std::size_t historyRows_;
  std::mutex mutex_, fileMutex_;
  std::vector<std::size_t> pending_;  // variants still to be run, sorted by group, then by index
  std::size_t next_{0};
  std::vector<VariantRange> returned_;
  std::size_t toDo_{0};
  std::vector<VariantStatus> statuses_;
  std::vector<std::pair<std::size_t, std::string>> failed_;
  std::vector<std::pair<double, std::size_t>> slowest_;
  std::size_t done_{0};
  double spent_{0.0};  // wall time spent by all threads [s]
  std::exception_ptr failure_;
  std::size_t before_{0};
};

}  // namespace ricochet
