#pragma once

#include <chrono>
#include <future>
#include <utility>

namespace ricochet {

/// One piece of work at a time on a thread of its own. What it throws comes out of the next `settle`.
class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    if (work_.valid()) work_.wait();
  }

  /// Begins, after the work before is done. Without a thread to be had it is done in `settle`, or at the end.
  template <class Work>
  void begin(Work&& work) {
    settle();
    work_ = std::async(std::launch::async | std::launch::deferred, std::forward<Work>(work));
  }

  /// Waits until there is no work.
  void settle() {
    if (work_.valid()) work_.get();
  }

  bool busy() const {
    return work_.valid() && work_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
  }

 private:
  std::future<void> work_;
};

}  // namespace ricochet
