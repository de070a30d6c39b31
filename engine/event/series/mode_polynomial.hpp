#pragma once

#include <span>

namespace ricochet {

/// q'' + c q' + omega^2 q = f of one mode.
struct DampedMode {
  double omegaSquared{0.0};  ///< [rad^2/s^2]
  double damping{0.0};       ///< c [1/s]
};
struct ModeMotion {
  double q{0.0};
  double v{0.0};
};

/// Motion after h [s] under a force that is a polynomial of the time, sum of force_k (t/h)^k.
///
/// By the recurrence of its power series upwards where omega h <= 5, which loses e^5 roundings there; by a
/// polynomial that solves the equation, downwards from its highest power, and the exact free motion of what
/// is left, where omega h > 5: that loses p!/(omega h)^p, 40 at p = 15. Damping beyond 5/h is taken in
/// shorter pieces.
ModeMotion afterPolynomial(const DampedMode& mode, const ModeMotion& from, double h,
                           std::span<const double> force);

}  // namespace ricochet
