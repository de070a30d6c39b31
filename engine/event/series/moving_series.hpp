#pragma once

#include "engine/functions/function_series.hpp"
#include "engine/model/excitation.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// Power series of the terms s sigma^j of a moving load (MovingLoad): exact polynomials where the load goes
/// at a constant speed, products of series otherwise. A position that is a formula decides for the element
/// that it starts in; the step ends where it leaves it.
class MovingSeries {
 public:
  using Terms = std::array<std::span<double>, MovingLoad::kTerms>;

  explicit MovingSeries(int order) : position_(static_cast<std::size_t>(order + 1)) {}

  /// Coefficients from t on, and the columns of the element. Returns how many of each term may differ from
  /// zero.
  std::array<int, MovingLoad::kTerms> read(FunctionSeries& functions, MovingLoadRun& load, double t,
                                           const Terms& terms, Eigen::Ref<Matrix> columns);

 private:
  int elementAhead(FunctionSeries& functions, const MovingLoad& load, std::span<double> x);
  bool isAhead(std::span<const double> x, double border) const noexcept;
  void watch(FunctionSeries& functions, std::span<const double> x, double sign, double border);

  std::vector<double> position_;
  std::vector<double> distance_;
};

}  // namespace ricochet
