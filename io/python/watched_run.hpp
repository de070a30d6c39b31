#pragma once

#include "engine/transient/transient.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <optional>

namespace ricochet {

struct Deck;

/// Hands the progress of a run, which does not hold the lock of the interpreter, to a function of Python ten
/// times per second. An exception of this function stops the run.
class WatchedRun : public TransientObserver {
 public:
  /// `callback`: function of the fraction done [-] and the number of steps, or None.
  WatchedRun(pybind11::object callback, const Deck& deck);

  void archive(const StepView& /*view*/) override {}
  bool progress(double time, long long steps) override;

  /// Throws what the function threw. Holds the lock of the interpreter.
  void rethrow();

 private:
  pybind11::object callback_;
  double start_, duration_;
  std::chrono::steady_clock::time_point last_;
  std::optional<pybind11::error_already_set> error_;
};

}  // namespace ricochet
