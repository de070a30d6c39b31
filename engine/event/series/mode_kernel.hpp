#pragma once

#include "engine/event/series/mode_plane.hpp"
#include "engine/event/series/push_kernel.hpp"

namespace ricochet::kernels {

/// Parameters of underdamped modes for exp(-d t) cos(w t) and exp(-d t) sin(w t)/w, which are exact to two
/// units in the last place apart from the rounding of w t, for w t up to kMostPhase and d t up to kMostDecay.
/// `decay` null: d = 0. All arrays in this file are padded to kLanes and 64-byte aligned.
struct Waves {
  Eigen::Index size;
  const double* w;         ///< angular frequency w of the damped mode [rad/s]
  const double* inverseW;  ///< 1/w [s]; 0 where w is 0
  const double* decay;     ///< decay rate d [1/s]
};
inline constexpr double kMostPhase = 1e5;
inline constexpr double kMostDecay = 690.0;
void computeDecayingCosinesAndSines(const Waves& waves, double t, double* cosine, double* sineOverW) noexcept;
/// Sine and cosine of phases from 0 to kMostPhase, exact to two units in the last place.
void sinesAndCosines(const double* phases, double* sine, double* cosine, Eigen::Index size) noexcept;

/// Motion of uncoupled modes over a time tau under forces that are polynomials of t/tau
/// (`motionUnderPolynomialForce` for many modes): by the upward recurrence for omega tau <= kUpwards,
/// otherwise by the downward recurrence. A block of kLanes modes with omega tau on both sides of kUpwards
/// uses both. The result is wrong for modes with damping c > omega.
struct PolynomialPush {
  ModePlane plane;  ///< modes to be computed; the rows of the forces are zero outside
  const double* omegaSquared;
  const double* damping;
  const double* fastest;  ///< highest omega of each block [rad/s]
  Waves waves;
  RowPushes forces;  ///< coefficients of (t/tau)^k, times tau^2
};
inline constexpr double kUpwards = 5.0;
/// q and v after tau, from q0 and v0. `terms`: number of terms of the power series of each block, 0 if no
/// mode of the block uses the upward recurrence.
void motionsOfModesUnderPolynomialForce(const PolynomialPush& push, const int* terms, double tau,
                                        const double* q0, const double* v0, double* q, double* v) noexcept;

/// Number of terms after which a power series that grows as exp(growth) is exact to 1e-18: growth^n/n! <
/// 1e-18, counted from 0 and from the order `powers` at which the force polynomial ends.
int powerSeriesTermCount(double growth, int powers) noexcept;

}  // namespace ricochet::kernels
