#include "io/app/batch/batch_queue.hpp"

#include "io/app/batch/variant_plan.hpp"

#include <algorithm>

namespace ricochet {

BatchQueue::BatchQueue(const VariantPlan& plan, BatchFile& file, std::size_t historyRows)
    : plan_(plan), file_(file), historyRows_(historyRows), statuses_(file.statuses()) {
  for (std::size_t i = 0; i < statuses_.size(); ++i)
    if (statuses_[i] == VariantStatus::pending) pending_.push_back(i);
  std::stable_sort(pending_.begin(), pending_.end(), [&](std::size_t a, std::size_t b) {
    return plan.groupOfVariant(a) < plan.groupOfVariant(b);
  });
  toDo_ = pending_.size();
  before_ = statuses_.size() - toDo_;
}

std::size_t BatchQueue::rangeSize() const {
  constexpr double kLasts = 0.2;  // intended wall time of a range [s]
  constexpr double kMost = 4096.0;
  if (done_ == 0) return 1;
  const double each = std::max(spent_ / static_cast<double>(done_), 1e-9);
  return static_cast<std::size_t>(std::clamp(kLasts / each, 1.0, kMost));
}

std::optional<VariantRange> BatchQueue::takeNextVariantRange() {
  const std::lock_guard lock(mutex_);
  if (failure_) return std::nullopt;
  if (!returned_.empty()) {
    const VariantRange range = returned_.back();
    returned_.pop_back();
    return range;
  }
  if (next_ == pending_.size()) return std::nullopt;
  VariantRange range{pending_[next_], 1};
  const std::size_t most = rangeSize();
  while (range.count < most && ++next_ < pending_.size() && pending_[next_] == range.first + range.count &&
         plan_.groupOfVariant(pending_[next_]) == plan_.groupOfVariant(range.first))
    ++range.count;
  if (range.count == most) ++next_;
  return range;
}

void BatchQueue::returnVariantRange(const VariantRange& range) {
  const std::lock_guard lock(mutex_);
  returned_.push_back(range);
}

void BatchQueue::storeVariantBlock(const VariantBlock& block) {
  {
    const std::lock_guard lock(fileMutex_);
    file_.write(block);
  }
  const std::lock_guard lock(mutex_);
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto status = static_cast<VariantStatus>(block.status[i]);
    statuses_[block.first + i] = status;
    if (status == VariantStatus::pending) continue;
    ++done_;
    spent_ += block.seconds[i];
    slowest_.emplace_back(block.seconds[i], block.first + i);
    if (status != VariantStatus::complete) failed_.emplace_back(block.first + i, block.reason[i]);
  }
  std::sort(slowest_.begin(), slowest_.end(), std::greater<>());
  slowest_.resize(std::min(slowest_.size(), kShown));
}

void BatchQueue::storeFirstFailure(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

std::exception_ptr BatchQueue::firstFailure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::size_t BatchQueue::doneVariantCount() {
  const std::lock_guard lock(mutex_);
  return done_;
}

bool BatchQueue::areAllVariantsTaken() {
  const std::lock_guard lock(mutex_);
  return failure_ || (returned_.empty() && next_ == pending_.size());
}

BatchSummary BatchQueue::summaryOfQueue() {
  const std::lock_guard lock(mutex_);
  BatchSummary summary;
  summary.cases = statuses_.size();
  summary.before = before_;
  std::sort(failed_.begin(), failed_.end());
  for (std::size_t i = 0; i < statuses_.size(); ++i) {
    if (statuses_[i] == VariantStatus::complete) ++summary.complete;
    if (statuses_[i] == VariantStatus::pending) summary.missing.push_back(i);
    if (statuses_[i] <= VariantStatus::complete) continue;
    summary.failed.push_back(i);
    const auto known =
        std::lower_bound(failed_.begin(), failed_.end(), i,
                         [](const auto& entry, std::size_t index) { return entry.first < index; });
    summary.reasons.push_back(known != failed_.end() && known->first == i ? known->second : std::string{});
  }
  summary.slowest = slowest_;
  return summary;
}

}  // namespace ricochet
