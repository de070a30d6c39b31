#pragma once

#include <algorithm>
#include <chrono>

namespace ricochet {

/// When a run looks up from its steps: every so many of them, and more often when they are slow, so that
/// some looks fall into every second. Nothing of the run depends on when it looks.
class Pace {
 public:
  explicit Pace(long long most) : most_(most) {}

  /// Called at a look, after `steps`; gives the number of steps after which to look again.
  long long next(long long steps) {
    constexpr double kBetween = 0.25;  // [s]
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
