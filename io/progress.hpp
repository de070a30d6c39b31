#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

namespace ricochet {

/// Progress of long work: a bar with rate and time left on a terminal, a plain line every ten seconds
/// otherwise, and nothing at all for work that ends at once.
class Progress {
 public:
  /// Work from 0 to 1; `unit` is what is counted ("steps").
  explicit Progress(std::string_view unit, std::FILE* out = stderr);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double fraction, long long done);

 private:
  void draw(double fraction, long long done, double elapsed);

  std::string unit_;
  std::FILE* out_;
  bool terminal_;
  bool drawn_{false};
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

/// While it lives, Ctrl-C (SIGINT) and SIGTERM ask for a clean stop instead of ending the program; a second
/// one ends it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested() noexcept;
};

}  // namespace ricochet
