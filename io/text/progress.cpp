#include "io/text/progress.hpp"

#include "io/text/size_text.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <limits>
#include <mutex>

namespace ricochet {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirst = 500ms;   // shorter work shows no progress
constexpr auto kRedraw = 100ms;  // time between two drawings on a terminal
constexpr auto kLine = 10s;      // time between two lines in a file

// The signal handler sets this flag, and every thread reads the flag between two steps.
std::atomic<bool> stopRequested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// The limits of a run are set before any thread starts, so that threads may read them without a lock.
std::chrono::steady_clock::time_point latest = std::chrono::steady_clock::time_point::max();
double mostSeconds = 0.0;
std::uintmax_t mostBytes = std::numeric_limits<std::uintmax_t>::max();
enum class Limit { none, time, size };
std::atomic<Limit> reached{Limit::none};

void stopProgramAtLimit(Limit limit) noexcept {
  auto none = Limit::none;
  reached.compare_exchange_strong(none, limit);
}

constexpr std::array kStopSignals{SIGINT, SIGTERM};

// Number of existing guards, and the signal handlers (of Python, for example) that the first guard replaced
// and the last guard restores.
std::mutex guardMutex;
int guards = 0;
std::array<struct sigaction, kStopSignals.size()> earlier{};

extern "C" void recordStopRequest(int signal) {
  const struct sigaction& before = earlier[signal == SIGINT ? 0 : 1];
  const bool isDefault = before.sa_handler == SIG_DFL;
  if (stopRequested && isDefault) {  // a second Ctrl-C ends the program at once
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  stopRequested = true;
  if (!isDefault && (before.sa_flags & SA_SIGINFO) == 0) before.sa_handler(signal);
}

}  // namespace

std::string durationText(double seconds) {
  if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600.0)
    return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60.0), std::fmod(seconds, 60.0));
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600.0),
                     std::fmod(seconds, 3600.0) / 60.0);
}

Progress::Progress(std::string_view unit, std::FILE* out)
    : unit_(unit),
      out_(out),
      terminal_(isatty(fileno(out)) == 1),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (terminal_ && drawn_) fmt::print(out_, "\r\x1b[K");
}

void Progress::updateProgress(double fraction, long long done) {
  const auto now = std::chrono::steady_clock::now();
  const auto wait = terminal_
                        ? (drawn_ ? std::chrono::milliseconds(kRedraw) : std::chrono::milliseconds(kFirst))
                        : std::chrono::milliseconds(kLine);
  if (now - last_ < wait) return;
  last_ = now;
  drawProgressBar(std::clamp(fraction, 0.0, 1.0), done, std::chrono::duration<double>(now - start_).count());
  drawn_ = true;
}

void Progress::drawProgressBar(double fraction, long long done, double elapsed) {
  const double left = fraction > 0.0 ? elapsed * (1.0 - fraction) / fraction : 0.0;
  const std::string numbers = fmt::format("{:3.0f} %  {:.3g} {}/s  {} left", 100.0 * fraction,
                                          static_cast<double>(done) / elapsed, unit_, durationText(left));
  if (terminal_) {
    constexpr int kWidth = 30;
    const int full = static_cast<int>(fraction * kWidth);
    fmt::print(out_, "\r\x1b[K[{:#<{}}{:.<{}}] {}", "", full, "", kWidth - full, numbers);
  } else {
    fmt::print(out_, "{}\n", numbers);
  }
  std::fflush(out_);
}

Waiting::Waiting(std::string_view what, std::FILE* out)
    : thread_([this, text = std::string(what), out] { showWaitingMessage(text, out); }) {}

Waiting::~Waiting() {
  {
    const std::lock_guard lock(mutex_);
    isOver_ = true;
  }
  ends_.notify_one();
  thread_.join();
}

void Waiting::showWaitingMessage(const std::string& what, std::FILE* out) {
  const bool isTerminal = isatty(fileno(out)) == 1;
  const auto start = std::chrono::steady_clock::now();
  bool isDrawn = false;
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock,
                         isTerminal ? std::chrono::milliseconds(kFirst) : std::chrono::milliseconds(kLine),
                         [this] { return isOver_; })) {
    isDrawn = true;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print(out, "{}{}: {}{}", isTerminal ? "\r\x1b[K" : "", what, durationText(elapsed),
               isTerminal ? "" : "\n");
    std::fflush(out);
  }
  if (isDrawn && isTerminal) fmt::print(out, "\r\x1b[K");
  std::fflush(out);
}

InterruptGuard::InterruptGuard() {
  const std::lock_guard lock(guardMutex);
  if (++guards > 1) return;
  stopRequested = false;
  struct sigaction stop {};
  stop.sa_handler = recordStopRequest;
  stop.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    sigaction(kStopSignals[i], nullptr, &earlier[i]);
    // A signal that the program ignores from its start (nohup, a shell's &) remains ignored.
    if (earlier[i].sa_handler != SIG_IGN) sigaction(kStopSignals[i], &stop, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  const std::lock_guard lock(guardMutex);
  if (--guards > 0) return;
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) sigaction(kStopSignals[i], &earlier[i], nullptr);
}

bool InterruptGuard::isStopRequested() noexcept {
  if (stopRequested.load(std::memory_order_relaxed)) return true;
  if (latest != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() > latest)
    stopProgramAtLimit(Limit::time);
  return reached.load(std::memory_order_relaxed) != Limit::none;
}

std::string InterruptGuard::stopReason() {
  if (stopRequested || reached == Limit::none) return "interrupted";
  return reached == Limit::time
             ? fmt::format("stopped after {:.9g} s (--max-time)", mostSeconds)
             : fmt::format("stopped at {} (--max-size)", byteCountText(static_cast<double>(mostBytes)));
}

void InterruptGuard::setTimeLimit(double seconds) {
  mostSeconds = seconds;
  latest = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                  std::chrono::duration<double>(seconds));
}

void InterruptGuard::setFileSizeLimit(std::uintmax_t bytes) { mostBytes = bytes; }

void InterruptGuard::recordFileSize(std::uintmax_t bytes) {
  if (bytes >= mostBytes) stopProgramAtLimit(Limit::size);
}

}  // namespace ricochet
