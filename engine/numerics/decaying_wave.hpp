#pragma once

#include <cmath>

namespace ricochet {

/// exp(-d h) cos(w h) and exp(-d h) sin(w h)/w of a mode, w^2 = omega^2 - d^2, without overflow. An
/// overdamped mode has cosh and sinh/w; at w = 0 the values are 1 and h.
struct DecayingWave {
  double cosine;
  double sineOverW;
};
inline DecayingWave decayingCosineAndSine(double omegaSquared, double d, double h) {
  const double w2 = omegaSquared - d * d;
  const double phase2 = w2 * h * h;
  constexpr double kSmall = 1e-8;  // below this the two-term series is exact to rounding
  if (std::abs(phase2) < kSmall) {
    const double e = std::exp(-d * h);
    return {e * (1.0 - phase2 / 2.0), e * h * (1.0 - phase2 / 6.0)};
  }
  if (w2 > 0.0) {
    const double w = std::sqrt(w2);
    const double e = std::exp(-d * h);
    return {e * std::cos(w * h), e * std::sin(w * h) / w};
  }
  const double w = std::sqrt(-w2);
  // w - d and the difference of the exponentials would cancel: (w - d)(w + d) = -omega^2
  const double slow = std::exp(-omegaSquared / (w + d) * h);
  const double fast = std::exp(-(w + d) * h);
  return {0.5 * (slow + fast), -0.5 * slow * std::expm1(-2.0 * w * h) / w};
}

}  // namespace ricochet
