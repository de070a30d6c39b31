#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/numerics/series.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// Power series of functions of time. A formula that decides (`if`, `abs` ...) is smooth only up to where
/// what it compared becomes equal: a kink, at which the step of the event scheme has to end.
class FunctionSeries {
 public:
  explicit FunctionSeries(int order) : order_(order), tape_(order) {}

  /// Forgets the kinks of the functions read before.
  void begin() noexcept { used_ = 0; }

  /// Coefficients of a function from t on; returns how many may differ from zero.
  int read(const FunctionCursor& function, double t, std::span<double> series);

  /// A polynomial in local time whose first root is a kink too.
  void watch(std::span<const double> decision);

  /// First instant after the start, in local time, at which a formula read since `begin` decides anew; `step`
  /// if there is none before.
  double nextKink(double step) noexcept;

  /// The next expansion starts at a kink: decisions are those just after it, by a shift that rounding would
  /// not see.
  void pass(double shift) noexcept { shift_ = shift; }

  template <class Archive>
  void persist(Archive& archive) {
    archive(shift_);
  }

 private:
  int order_;
  SeriesTape tape_;
  double shift_{0.0};
  std::vector<std::vector<double>> decisions_;
  std::size_t used_{0};
};

}  // namespace ricochet
