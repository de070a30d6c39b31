#pragma once

#include "engine/schemes/runge_kutta.hpp"

namespace ricochet {

/// Tableau of the Bogacki-Shampine pair: third order with an error estimate of second order, three
/// evaluations per step.
struct BogackiShampine {
  static constexpr std::string_view keyword = "rk32";
  static constexpr std::string_view title = "Runge-Kutta pair of Bogacki and Shampine, orders 3 and 2";
  static constexpr std::string_view source = "P. Bogacki, L.F. Shampine, Appl. Math. Lett. 2 (1989) 321-325";
  static constexpr int order = 3;
  static constexpr int errorOrder = 3;  // the error of a step is proportional to h to this power
  static constexpr int stages = 4;
  static constexpr std::array<double, 4> c{0.0, 0.5, 0.75, 1.0};
  static constexpr std::array<std::array<double, 3>, 3> a{
      {{0.5, 0.0, 0.0}, {0.0, 0.75, 0.0}, {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}}};
  static constexpr std::array<double, 4> error{-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0};

  /// Dense output of third order: the cubic with values and rates at both ends.
  static void interpolate(const std::array<Vector, 4>& rates, const Vector& from, const Vector& to, double h,
                          double theta, Vector& at) {
    const double s = 1.0 - theta;
    at = (s * s * (1.0 + 2.0 * theta)) * from + (theta * theta * (3.0 - 2.0 * theta)) * to +
         (h * theta * s * s) * rates[0] - (h * theta * theta * s) * rates[3];
  }
  static double quarticWeightOfStageRate(std::size_t /*stage*/, double /*theta*/) noexcept { return 0.0; }
};

using RungeKutta32 = RungeKutta<BogackiShampine>;

}  // namespace ricochet
