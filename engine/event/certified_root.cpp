#include "engine/event/certified_root.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr std::size_t kLongest = 64;  // coefficients

/// A polynomial and its derivative, each evaluated in two chains (even and odd powers): half the latency.
class Pair {
 public:
  explicit Pair(std::span<const double> p) noexcept : p_(p) {
    assert(p.size() <= kLongest);
    for (std::size_t k = 1; k < p.size(); ++k) slope_[k - 1] = static_cast<double>(k) * p[k];
  }
  double value(double t) const noexcept { return polynomialAt(p_, t); }
  double slope(double t) const noexcept {
    return p_.size() < 2 ? 0.0 : polynomialAt({slope_.data(), p_.size() - 1}, t);
  }

 private:
  std::span<const double> p_;
  std::array<double, kLongest> slope_;
};

/// How far below p(0) the polynomial can fall on [0, end], and M with p'' >= -M there.
struct Bounds {
  double fall{0.0};
  double curvature{0.0};
  double size{0.0};  ///< of all terms together: what rounding is relative to
};

Bounds boundsOf(std::span<const double> p, double end) noexcept {
  Bounds bounds{.fall = 0.0, .curvature = 0.0, .size = std::abs(p[0])};
  double power = end;  // end^k
  const double perSquare = 1.0 / (end * end);
  for (std::size_t k = 1; k < p.size(); ++k, power *= end) {
    bounds.size += std::abs(p[k]) * power;
    if (p[k] >= 0.0) continue;
    bounds.fall -= p[k] * power;
    const auto order = static_cast<double>(k);
    bounds.curvature -= order * (order - 1.0) * p[k] * power * perSquare;
  }
  return bounds;
}

/// How far the bounding parabola from (p, p') with curvature -M stays positive.
double safeAdvance(double value, double slope, double curvature) noexcept {
  const double root = std::sqrt(slope * slope + 2.0 * curvature * value);
  if (slope > 0.0)
    return curvature > 0.0 ? (slope + root) / curvature : std::numeric_limits<double>::infinity();
  return 2.0 * value / (root - slope);
}

}  // namespace

double polynomialAt(std::span<const double> p, double t) noexcept {
  const double square = t * t;
  double even = 0.0;
  double odd = 0.0;
  std::size_t k = p.size();
  if (k % 2 != 0) even = p[--k];
  while (k > 0) {
    odd = p[k - 1] + square * odd;
    even = p[k - 2] + square * even;
    k -= 2;
  }
  return even + t * odd;
}

RootSearch firstRoot(std::span<const double> p, double end) noexcept {
  constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();
  constexpr int kMostAdvances = 400;
  const Bounds bounds = boundsOf(p, end);
  if (p[0] > bounds.fall * (1.0 + kRounding)) return {false, end};

  const Pair pair(p);
  const double noise = kRounding * bounds.size;
  double t = 0.0;
  double value = p[0];
  double slope = p.size() > 1 ? p[1] : 0.0;
  for (int i = 0; i < kMostAdvances; ++i) {
    const double advance = safeAdvance(value, slope, bounds.curvature);
    if (!(t + advance < end)) return {false, end};
    if (advance <= kRounding * t) return {true, t};
    t += advance;
    value = pair.value(t);
    slope = pair.slope(t);
    if (value <= noise) {
      // within rounding of the root: the tangent says where, if it crosses
      if (slope < 0.0) t = std::clamp(t - value / slope, 0.0, end);
      return {true, t};
    }
  }
  return {false, t};
}

}  // namespace ricochet
