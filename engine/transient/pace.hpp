#pragma once

#include <algorithm>
#include <chrono>

namespace ricochet {

/// Number of steps between two progress reports: a fixed number, or fewer if steps are slow, so that there
/// are several reports per second. The results of a run do not depend on this number.
class Pace {
 public:
  explicit Pace(long long most) : most_(most) {}

  /// Called at each progress report, after `steps` steps; returns the number of steps at which the next
  /// report is due.
  long long stepCountAtNextReport(long long steps) {
    constexpr double kBetween = 0.25;  // time between two reports [s]
    const auto now = std::chrono::steady_clock::now();
    const double elapsed = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    const auto done = static_cast<double>(std::max(steps - steps_, 1LL));
    steps_ = steps;
    const double fitting = elapsed > 0.0 ? done * kBetween / elapsed : static_cast<double>(most_);
    const auto stride = static_cast<long long>(std::clamp(fitting, 1.0, static_cast<double>(most_)));
    return std::min(steps + stride, (steps / most_ + 1) * most_);
  }

 private:
  long long most_;
  long long steps_{0};
  std::chrono::steady_clock::time_point last_{std::chrono::steady_clock::now()};
};

}  // namespace ricochet
