#pragma once

#include "engine/schemes/transient_loop.hpp"

#include <algorithm>
#include <utility>

namespace ricochet::batch {

/// Time loop of one variant of a batch, stepped by the caller: the lanes (vectorised kernels) compute most of
/// its steps.
template <class I>
class LaneLoop : public TransientLoop<I, ModalEquation> {
 public:
  using TransientLoop<I, ModalEquation>::TransientLoop;

  void begin() { TransientLoop<I, ModalEquation>::begin(); }

  /// Computes nominal step n by the scheme itself, without the lanes.
  void computeStep(long long n, long long count) {
    // The lanes have passed breakpoints that lie at ends of their steps.
    const auto passed = std::upper_bound(this->breakpoints_.begin(), this->breakpoints_.end(),
                                         this->state_.time + this->tolerance_);
    this->breakpoint_ = static_cast<std::size_t>(passed - this->breakpoints_.begin());
    this->computeNominalStep(n, count);
  }

  /// Resumes after the lanes have computed `steps` steps, the last of which is nominal step n; equation and
  /// state are up to date.
  void resumeRunAfterLanes(long long n, long long steps, long long count) {
    this->report_.steps += steps;
    this->finishNominalStep(n, count);
    const bool looks = isRunning() && n < count && n % kChunk == 0;
    if (looks && !this->observer_.onProgress(this->state_.time, this->report_.steps))
      this->report_.status = RunStatus::interrupted;
  }

  bool isRunning() const { return this->report_.status == RunStatus::complete; }
  bool hasDiverged() const { return this->report_.status == RunStatus::diverged; }

  Report finish() {
    TransientLoop<I, ModalEquation>::finish();
    return this->report_;
  }
};

}  // namespace ricochet::batch
