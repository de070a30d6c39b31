#pragma once

#include <cmath>

namespace ricochet::patch {

/// Coefficient of friction of a contact area as a function of its pressure-weighted mean slip speed v_eq
/// (slipSpeed).
///
///     speed > 0:  mu = mu_d + (mu_s - mu_d) exp(-(v_eq/speed)^2)
///     speed = 0:  mu_s until slip starts, mu_d while it lasts, mu_s again once it sticks
struct FrictionDrop {
  double muStatic{};
  double muDynamic{};
  double speed{};  ///< slip speed over which the coefficient drops [m/s]

  bool isConstant() const noexcept { return muStatic == muDynamic; }
  /// Coefficient in slip at v_eq > 0 [-].
  double frictionCoefficientInSlip(double slipSpeed) const noexcept {
    if (!(speed > 0.0)) return muDynamic;
    const double ratio = slipSpeed / speed;
    return muDynamic + (muStatic - muDynamic) * std::exp(-ratio * ratio);
  }
  /// Coefficient that limits the trial wrench [-]: the slip coefficient if the accepted state slips, else
  /// mu_s.
  double frictionCoefficientOfLimit(bool slipping, double slipSpeed) const noexcept {
    return slipping ? frictionCoefficientInSlip(slipSpeed) : muStatic;
  }
};

}  // namespace ricochet::patch
