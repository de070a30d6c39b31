#include "engine/event/series/mode_polynomial.hpp"

#include "engine/numerics/decaying_wave.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace ricochet {
namespace {

constexpr double kUpwards = 5.0;
constexpr std::size_t kMostPowers = 40;

/// Motion by the upward recurrence a_(k+2) = (h^2 f_k - c h (k + 1) a_(k+1) - theta^2 a_k)/((k + 1)(k + 2));
/// q = sum of a_k, v h = sum of k a_k.
ModeMotion sumMotionByUpwardRecurrence(const DampedMode& mode, const ModeMotion& from, double h,
                                       std::span<const double> force) noexcept {
  const double square = mode.omegaSquared * h * h, drag = mode.damping * h;
  double before = from.q, term = from.v * h;
  double q = before + term, v = term;
  constexpr std::size_t kMostSeriesTerms = 200;
  constexpr double kNothing = 1e-18;
  for (std::size_t k = 0; k < kMostSeriesTerms; ++k) {
    const auto n = static_cast<double>(k);
    const double push = k < force.size() ? h * h * force[k] : 0.0;
    const double next = (push - drag * (n + 1.0) * term - square * before) / ((n + 1.0) * (n + 2.0));
    q += next;
    v += (n + 2.0) * next;
    before = term;
    term = next;
    const double size = std::abs(before) + std::abs(term);
    if (k >= force.size() && n * size <= kNothing * (std::abs(q) + std::abs(v))) break;
  }
  return {q, v / h};
}

/// Motion by the downward recurrence c_k = (h^2 f_k - (k + 2)(k + 1) c_(k+2) - c h (k + 1) c_(k+1))/theta^2
ModeMotion sumForcedMotionByDownwardRecurrence(const DampedMode& mode, const ModeMotion& from, double h,
                                               std::span<const double> force) noexcept {
  const double square = mode.omegaSquared * h * h, drag = mode.damping * h;
  double above = 0.0, next = 0.0;  // coefficients c_(k+2), c_(k+1)
  double q = 0.0, v = 0.0;
  for (std::size_t k = force.size(); k-- > 0;) {
    const auto n = static_cast<double>(k);
    const double c = (h * h * force[k] - (n + 2.0) * (n + 1.0) * above - drag * (n + 1.0) * next) / square;
    q += c;
    v += n * c;
    above = next;
    next = c;
  }
  // next is c_0, above is c_1
  const double q0 = from.q - next, v0 = from.v * h - (force.size() > 1 ? above : 0.0);
  const double d = 0.5 * drag;
  const auto [cosine, sine] = decayingCosineAndSine(square, d, 1.0);
  return {q + (cosine + d * sine) * q0 + sine * v0, (v - square * sine * q0 + (cosine - d * sine) * v0) / h};
}

/// Computes the coefficients of p(a + s x) from the coefficients of p(x).
void restrict(std::span<const double> p, double a, double s, std::span<double> part) noexcept {
  std::copy(p.begin(), p.end(), part.begin());
  for (std::size_t i = 0; i + 1 < part.size(); ++i)
    for (std::size_t k = part.size() - 1; k-- > i;) part[k] += a * part[k + 1];
  double power = 1.0;
  for (double& each : part) {
    each *= power;
    power *= s;
  }
}

}  // namespace

ModeMotion motionUnderPolynomialForce(const DampedMode& mode, const ModeMotion& from, double h,
                                      std::span<const double> force) {
  assert(force.size() <= kMostPowers);
  const double theta = std::sqrt(mode.omegaSquared) * h, drag = mode.damping * h;
  if (theta > kUpwards && 0.5 * drag < theta)
    return sumForcedMotionByDownwardRecurrence(mode, from, h, force);
  if (theta <= kUpwards && drag <= kUpwards) return sumMotionByUpwardRecurrence(mode, from, h, force);
  const int pieces = static_cast<int>(std::ceil(std::max(theta, drag) / kUpwards));
  std::array<double, kMostPowers> storage;
  const std::span<double> part(storage.data(), force.size());
  ModeMotion now = from;
  for (int i = 0; i < pieces; ++i) {
    restrict(force, static_cast<double>(i) / pieces, 1.0 / pieces, part);
    now = sumMotionByUpwardRecurrence(mode, now, h / pieces, part);
  }
  return now;
}

}  // namespace ricochet
