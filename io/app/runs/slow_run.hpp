#pragma once

#include "engine/transient/transient.hpp"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace ricochet {

struct Simulation;

/// Prints once, on `out`, that a run will need more than 1e8 steps, or that the event scheme computes less
/// than a millionth of the run per second, with the reason and a remedy. A fixed step is judged before the
/// run, other steps after each second of work.
class SlowRunNotice {
 public:
  SlowRunNotice(std::string deck, const Simulation& simulation, const TransientOptions& options,
                std::FILE* out = stderr);

  /// Updates the notice when the run reports its progress: time reached, number of steps and events so far.
  void updateNotice(double time, long long steps, std::size_t events);

 private:
  void assessPaceOfRun(double elapsed, double part, long long steps, std::size_t events);
  void printSlowRunNotice(const std::string& what, const std::string& why);

  std::string deck_;
  const Simulation& simulation_;
  double start_, duration_, step_;
  std::FILE* out_;
  bool said_{false};
  bool isFixed_;
  // Start of the present second of work.
  std::chrono::steady_clock::time_point since_{std::chrono::steady_clock::now()};
  double time_;
  long long steps_{0};
  std::size_t events_{0};
};

}  // namespace ricochet
