#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

namespace ricochet::test {

/// Processor time of this thread [s].
inline double threadTime() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Wall time [s], for work of several threads.
inline double wallTime() {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Time of one call of `slow` over that of one call of `fast`: the median of alternate measurements, so that
/// both meet the same load of the machine.
template <class Slow, class Fast>
double relativeTime(Slow&& slow, Fast&& fast, double (*clock)() = threadTime) {
  constexpr int kRounds = 11;
  constexpr double kLeast = 2e-3;  // duration of a measurement [s]
  const auto timeOf = [clock](auto& call) {
    const double start = clock();
    double now = start;
    long calls = 0;
    for (; now - start < kLeast; now = clock(), ++calls) call();
    return (now - start) / static_cast<double>(calls);
  };
  std::vector<double> ratios;
  for (int i = 0; i < kRounds; ++i) ratios.push_back(timeOf(slow) / timeOf(fast));
  std::nth_element(ratios.begin(), ratios.begin() + kRounds / 2, ratios.end());
  return ratios[kRounds / 2];
}

}  // namespace ricochet::test
