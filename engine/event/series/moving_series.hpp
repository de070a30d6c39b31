#pragma once

#include "engine/functions/function_series.hpp"
#include "engine/model/excitation.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// Power series of the terms s sigma^j of a moving load (MovingLoad): exact polynomials if the load moves at
/// a constant speed, products of series otherwise. If the position is a formula, the series is valid on the
/// element at the start; the step ends where the load leaves this element.
class MovingSeries {
 public:
  using Terms = std::array<std::span<double>, MovingLoad::kTerms>;

  explicit MovingSeries(int order) : position_(static_cast<std::size_t>(order + 1)) {}

  /// Computes the coefficients of the load terms from t on, and the shapes of the element. Returns for each
  /// term the number of coefficients that may be non-zero.
  std::array<int, MovingLoad::kTerms> readMovingLoadSeries(FunctionSeries& functions, MovingLoadRun& load,
                                                           double t, const Terms& terms,
                                                           Eigen::Ref<Matrix> columns);

 private:
  int findNextElement(FunctionSeries& functions, const MovingLoad& load, std::span<double> x);
  bool isPositionBeyondElementBorder(std::span<const double> x, double border) const noexcept;
  void endStepAtElementBorder(FunctionSeries& functions, std::span<const double> x, double sign,
                              double border);

  std::vector<double> position_;
  std::vector<double> distance_;
};

}  // namespace ricochet
