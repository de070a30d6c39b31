#pragma once

#include <chrono>
#include <future>
#include <utility>

namespace ricochet {

/// Executes one task at a time on a background thread. An exception of the task is thrown by the next
/// `wait`.
class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    if (work_.valid()) work_.wait();
  }

  /// Starts a task after the previous task has ended. If no thread can be started, the task runs in `wait`
  /// or in the destructor.
  template <class Work>
  void startTask(Work&& work) {
    waitForTask();
    work_ = std::async(std::launch::async | std::launch::deferred, std::forward<Work>(work));
  }

  /// Waits until the task has ended.
  void waitForTask() {
    if (work_.valid()) work_.get();
  }

  bool isTaskRunning() const {
    return work_.valid() && work_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
  }

 private:
  std::future<void> work_;
};

}  // namespace ricochet
