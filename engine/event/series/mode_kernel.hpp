#pragma once

#include "engine/event/series/mode_plane.hpp"
#include "engine/event/series/push_kernel.hpp"

namespace ricochet::kernels {

/// Waves of underdamped modes at an instant t: exp(-d t) cos(w t) and exp(-d t) sin(w t)/w, to two units in
/// the last place but for the rounding of w t. `decay` null: d = 0. For w t up to kMostPhase and d t up to
/// kMostDecay. Arrays are padded to kLanes and 64-byte aligned, as all here.
struct Waves {
  Eigen::Index size;
  const double* w;         ///< [rad/s]
  const double* inverseW;  ///< 0 where w is
  const double* decay;     ///< d [1/s]
};
inline constexpr double kMostPhase = 1e5;
inline constexpr double kMostDecay = 690.0;
void decayingWaves(const Waves& waves, double t, double* cosine, double* sineOverW) noexcept;
/// Sine and cosine of phases from 0 to kMostPhase, as exact.
void turns(const double* phases, double* sine, double* cosine, Eigen::Index size) noexcept;

/// Uncoupled modes over a time tau under forces that are polynomials of t/tau, as afterPolynomial does for
/// one mode: upwards, downwards, or both in a block of kLanes modes whose omega tau lie on both sides of
/// kUpwards. Modes whose damping is too high for that come out wrong.
struct PolynomialPush {
  ModePlane plane;  ///< the modes that are meant, and that the forces push
  const double* omegaSquared;
  const double* damping;
  const double* fastest;  ///< highest omega of each block [rad/s]
  Waves waves;
  RowPushes forces;  ///< coefficients of (t/tau)^k, times tau^2
};
inline constexpr double kUpwards = 5.0;
/// q and v after tau, from q0 and v0. `terms` of each block: of its power series, 0 where no mode takes one.
void afterPolynomials(const PolynomialPush& push, const int* terms, double tau, const double* q0,
                      const double* v0, double* q, double* v) noexcept;

/// Terms of a power series that grows as exp(growth), up to order `powers` pushed by another: growth^n/n! <
/// 1e-18, and the same product from that order on.
int termsOf(double growth, int powers) noexcept;

}  // namespace ricochet::kernels
