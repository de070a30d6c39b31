#pragma once

#include <array>

namespace ricochet::cross {

/// Number of coefficients of a series in powers of sqrt(tau): orders 0 to (kTerms - 1)/2.
inline constexpr int kTerms = 21;

/// f(tau) = sum of c_j tau^(j/2). Half orders are needed for t^1.5 at t = 0.
using HalfSeries = std::array<double, kTerms>;

/// Time function of a load, with integrals in closed form.
struct LoadFunction {
  enum class Kind {
    constant,  ///< amplitude
    ramp,      ///< amplitude t until t = parameter, then constant
    sine,      ///< amplitude sin(parameter t)
    power      ///< amplitude t^parameter
  };
  Kind kind{Kind::constant};
  double amplitude{0.0};
  double parameter{0.0};

  /// phi(t), its integral and its double integral from t0 to t = t0 + tau; a ramp must not end inside.
  struct Values {
    double value{0.0}, integral{0.0}, twice{0.0};
  };
  Values values(double t0, double tau) const;

  /// Series of phi to the right of t0.
  HalfSeries seriesAt(double t0) const;
};

}  // namespace ricochet::cross
