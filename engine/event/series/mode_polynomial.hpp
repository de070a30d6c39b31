#pragma once

#include <span>

namespace ricochet {

/// A damped mode: q'' + c q' + omega^2 q = f.
struct DampedMode {
  double omegaSquared{0.0};  ///< squared angular frequency [rad^2/s^2]
  double damping{0.0};       ///< damping c [1/s]
};
struct ModeMotion {
  double q{0.0};
  double v{0.0};
};

/// Motion after h [s] under a force that is a polynomial of the time, sum of force_k (t/h)^k.
///
/// For omega h <= 5 the power series is computed upwards by its recurrence; rounding grows by the factor e^5.
/// For omega h > 5 a polynomial solution of the equation is computed downwards from its highest power, and
/// the exact free motion from the remaining initial values is added; rounding grows by p!/(omega h)^p, 40 at
/// p = 15. For damping c > 5/h the time is divided into pieces.
ModeMotion motionUnderPolynomialForce(const DampedMode& mode, const ModeMotion& from, double h,
                                      std::span<const double> force);

}  // namespace ricochet
