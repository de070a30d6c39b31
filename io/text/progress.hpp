#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace ricochet {

/// "12 s", "3 min 05 s", "2 h 10 min".
std::string durationText(double seconds);

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

  /// Whether work shall stop: a signal came, or a limit is reached.
  static bool requested() noexcept;
  /// Why: "interrupted", or the limit.
  static std::string reason();

  /// Limits of the whole program: of its time from now on [s], and of a file that it writes [bytes].
  static void limitTime(double seconds);
  static void limitSize(std::uintmax_t bytes);
  /// Tells how large the file is by now.
  static void wrote(std::uintmax_t bytes);
};

}  // namespace ricochet
