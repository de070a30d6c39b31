#pragma once

#include "engine/schemes/runge_kutta.hpp"

namespace ricochet {

/// Tableau of the Dormand-Prince pair: fifth order with an error estimate of fourth order, six evaluations
/// per step.
struct DormandPrince {
  static constexpr std::string_view keyword = "rk54";
  static constexpr std::string_view title = "Runge-Kutta pair of Dormand and Prince, orders 5 and 4";
  static constexpr std::string_view source =
      "J.R. Dormand, P.J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26";
  static constexpr int order = 5;
  static constexpr int errorOrder = 5;  // the error of a step is proportional to h to this power
  static constexpr int stages = 7;
  static constexpr std::array<double, 7> c{0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
  static constexpr std::array<std::array<double, 6>, 6> a{
      {{1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0},
       {3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0},
       {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0},
       {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0},
       {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0},
       {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}}};
  static constexpr std::array<double, 7> error{
      71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

  /// Weights of the stages in the quartic term of the dense output.
  static constexpr std::array<double, 7> quartic{
      -12715105075.0 / 11282082432.0,  0.0,
      87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
      701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
      69997945.0 / 29380423.0};

  /// Dense output of fourth order: the cubic with values and rates at both ends, plus a quartic term from all
  /// stages. Source: E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, section
  /// II.6.
  static void interpolate(const std::array<Vector, 7>& rates, const Vector& from, const Vector& to, double h,
                          double theta, Vector& at) {
    const double s = 1.0 - theta;
    at = (s * s * (1.0 + 2.0 * theta)) * from + (theta * theta * (3.0 - 2.0 * theta)) * to +
         (h * theta * s * s) * rates[0] - (h * theta * theta * s) * rates[6];
    for (std::size_t i = 0; i < rates.size(); ++i) at += (h * theta * theta * s * s * quartic[i]) * rates[i];
  }
  /// Weight of the rate of a stage in the rate of the quartic term.
  static double quarticWeightOfStageRate(std::size_t stage, double theta) noexcept {
    return 2.0 * theta * (1.0 - theta) * (1.0 - 2.0 * theta) * quartic[stage];
  }
};

using RungeKutta54 = RungeKutta<DormandPrince>;

}  // namespace ricochet
