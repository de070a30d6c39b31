#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace ricochet {

/// "12 s", "3 min 05 s", "2 h 10 min".
std::string durationText(double seconds);

/// Progress of long work: a bar with rate and remaining time on a terminal, otherwise a plain line every ten
/// seconds. Short work shows nothing.
class Progress {
 public:
  /// Progress from 0 to 1; `unit`: name of the counted objects ("steps").
  explicit Progress(std::string_view unit, std::FILE* out = stderr);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void updateProgress(double fraction, long long done);

 private:
  void drawProgressBar(double fraction, long long done, double elapsed);

  std::string unit_;
  std::FILE* out_;
  bool terminal_;
  bool drawn_{false};
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

/// Shows that work of unknown length continues, such as the extraction of a basis, with its name and
/// duration: every half a second on a terminal, otherwise a plain line every ten seconds. Short work shows
/// nothing.
class Waiting {
 public:
  explicit Waiting(std::string_view what, std::FILE* out = stderr);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  void showWaitingMessage(const std::string& what, std::FILE* out);

  std::mutex mutex_;
  std::condition_variable ends_;
  bool isOver_{false};
  std::thread thread_;  // last member: it uses the other members
};

/// Result of work of unknown length; Waiting shows its name `what` meanwhile if `isShown`.
template <class Work>
auto runWhileShowingWaiting(bool isShown, std::string_view what, Work&& work) {
  std::optional<Waiting> waiting;
  if (isShown) waiting.emplace(what);
  return work();
}

/// During the lifetime of this object, Ctrl-C (SIGINT) and SIGTERM request a clean stop instead of ending the
/// program; a second signal ends the program. A handler that another part of the process had installed is
/// called as well, and is there again afterwards. Guards of several threads share one request, which stops
/// the work of all of them.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True if work must stop: a signal has arrived, or a limit is reached.
  static bool isStopRequested() noexcept;
  /// Reason of the stop: "interrupted", or the limit.
  static std::string stopReason();

  /// Sets limits of the whole program: its time from now on [s], and the size of a file that it writes
  /// [bytes].
  static void setTimeLimit(double seconds);
  static void setFileSizeLimit(std::uintmax_t bytes);
  /// Reports the present size of the file.
  static void recordFileSize(std::uintmax_t bytes);
};

}  // namespace ricochet
