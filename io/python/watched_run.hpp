#pragma once

#include "engine/transient/transient.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

namespace ricochet {

struct Deck;

/// Passes the progress of a run to a Python function ten times per second. The run itself does not hold the
/// lock of the interpreter. An exception of the function stops the run.
class WatchedRun : public TransientObserver {
 public:
  /// `callback`: function of the fraction done [-] and the number of steps, or None.
  WatchedRun(pybind11::object callback, const Deck& deck);

  void archive(const StepView& /*view*/) override {}
  bool onProgress(double time, long long steps) override;

  /// Throws the exception of the Python function, if there was one. Holds the lock of the interpreter.
  void rethrowCallbackException();

 private:
  pybind11::object callback_;
  double start_, duration_;
  std::chrono::steady_clock::time_point last_;
  std::optional<pybind11::error_already_set> error_;
};

}  // namespace ricochet
