#include "io/python/watched_run.hpp"

#include "io/deck/bare_deck.hpp"

#include <algorithm>
#include <utility>

namespace ricochet {

WatchedRun::WatchedRun(pybind11::object callback, const Deck& deck)
    : callback_(std::move(callback)),
      start_(deck.transient->start),
      duration_(deck.transient->duration),
      last_(std::chrono::steady_clock::now()) {}

bool WatchedRun::onProgress(double time, long long steps) {
  constexpr std::chrono::milliseconds kInterval{100};
  if (error_) return false;
  if (callback_.is_none()) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kInterval) return true;
  last_ = now;
  const pybind11::gil_scoped_acquire locked;
  try {
    callback_(std::clamp((time - start_) / duration_, 0.0, 1.0), steps);
  } catch (const pybind11::error_already_set& error) {
    error_.emplace(error);
  }
  return !error_;
}

void WatchedRun::rethrowCallbackException() {
  if (!error_) return;
  const pybind11::error_already_set error = *error_;
  error_.reset();
  throw error;
}

}  // namespace ricochet
