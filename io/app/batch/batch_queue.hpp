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

/// What a batch left behind.
struct BatchSummary {
  std::size_t cases{0};
  std::size_t complete{0};
  std::size_t before{0};  ///< done by the runs that this one resumed
  std::vector<std::size_t> failed;
  std::vector<std::string> reasons;                     ///< of the failed ones
  std::vector<std::size_t> missing;                     ///< not run: interrupted, or lost with a process
  std::vector<std::pair<double, std::size_t>> slowest;  ///< [s] and case, the slowest first
  double seconds{0.0};
  bool interrupted{false};
};

/// Hands out the variants of a batch that are still to be run, group by group, and takes what comes back to
/// the file. For any number of threads.
class BatchQueue {
 public:
  BatchQueue(const VariantPlan& plan, BatchFile& file, std::size_t historyRows);

  /// The next range, about as long as lasts a fifth of a second; nothing when none is left.
  std::optional<VariantRange> next();
  /// Takes a range back that nobody will run.
  void giveBack(const VariantRange& range);

  /// Writes a block. Throws ResultError.
  void take(const VariantBlock& block);

  /// Remembers the first failure and hands out nothing any more.
  void fail(std::exception_ptr failure);
  std::exception_ptr failure();

  std::size_t done();
  bool exhausted();
  std::size_t toDo() const noexcept { return toDo_; }
  std::size_t historyRows() const noexcept { return historyRows_; }

  BatchSummary summary();

 private:
  std::size_t rangeSize() const;

  const VariantPlan& plan_;
  BatchFile& file_;
  std::size_t historyRows_;
  std::mutex mutex_, fileMutex_;
  std::vector<std::size_t> pending_;  // by group, then by index
  std::size_t next_{0};
  std::vector<VariantRange> returned_;
  std::size_t toDo_{0};
  std::vector<VariantStatus> statuses_;
  std::vector<std::pair<std::size_t, std::string>> failed_;
  std::vector<std::pair<double, std::size_t>> slowest_;
  std::size_t done_{0};
  double spent_{0.0};  // [s] of all threads
  std::exception_ptr failure_;
  std::size_t before_{0};
};

}  // namespace ricochet
