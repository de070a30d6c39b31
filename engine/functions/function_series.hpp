#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/numerics/series.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// Power series of functions of time. A formula with a branch (`if`, `abs` ...) is smooth only up to the
/// instant at which the compared values become equal. This instant is a kink, at which the step of the event
/// scheme has to end.
class FunctionSeries {
 public:
  /// `secant`: interval over which a straight line replaces a formula without a series at its start, such as
  /// t^1.5 at 0 [s]; 0: no replacement.
  explicit FunctionSeries(int order, double secant = 0.0) : order_(order), secant_(secant), tape_(order) {}

  /// Discards the kinks of all functions that were expanded before.
  void begin() noexcept { used_ = 0; }

  /// Expands a function at time t into coefficients; returns the number of coefficients that may differ from
  /// zero.
  int read(const FunctionCursor& function, double t, std::span<double> series);

  /// Adds a polynomial in local time whose first root ends the step, like a kink.
  void endStepAtRoot(std::span<const double> decision);

  /// First instant after the start, in local time, at which a compared difference of a formula expanded since
  /// `begin` changes its sign; `step` if there is none within the step.
  double nextKink(double step) noexcept;

  /// Shifts the start of the next expansion by a time `shift` [s] of the size of rounding, to just after a
  /// kink, so that formulas use their branches after the kink.
  void shiftStart(double shift) noexcept { shift_ = shift; }

  template <class Archive>
  void persist(Archive& archive) {
    archive(shift_);
  }

 private:
  bool replaceBySecant(const Formula& formula, double t, std::span<double> series);

  int order_;
  double secant_;
  SeriesTape tape_;
  double shift_{0.0};
  std::vector<std::vector<double>> decisions_;
  std::size_t used_{0};
};

/// Value, first and second derivative of a function at an instant.
std::array<double, 3> derivativesAt(const TimeFunction& function, double time);

}  // namespace ricochet
