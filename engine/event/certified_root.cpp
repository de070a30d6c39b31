#include "engine/event/certified_root.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr std::size_t kLongest = 64;  // coefficients

/// A polynomial that can be moved along, and its derivative.
class Local {
 public:
  explicit Local(std::span<const double> p) noexcept : size_(p.size()) {
    assert(p.size() <= kLongest);
    std::copy(p.begin(), p.end(), p_.begin());
    differentiate();
  }
  std::span<const double> coefficients() const noexcept { return {p_.data(), size_}; }
  double value(double t) const noexcept { return polynomialAt(coefficients(), t); }
  double slope(double t) const noexcept {
    return size_ < 2 ? 0.0 : polynomialAt({slope_.data(), size_ - 1}, t);
  }

  /// p(t + shift), by repeated synthetic division.
  void recentre(double shift) noexcept {
    for (std::size_t i = 0; i + 1 < size_; ++i)
      for (std::size_t k = size_ - 1; k-- > i;) p_[k] += shift * p_[k + 1];
    differentiate();
  }

 private:
  void differentiate() noexcept {
    for (std::size_t k = 1; k < size_; ++k) slope_[k - 1] = static_cast<double>(k) * p_[k];
  }

  std::size_t size_;
  std::array<double, kLongest> p_;
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

constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();

/// A few advances from 0 within a window.
struct Walk {
  enum Outcome { root, beyond, tired } outcome;
  double time;   ///< the root, the end of the window, or how far it came
  double reach;  ///< tired: how long a window seems worth while
};

Walk walkFrom(const Local& local, const Bounds& bounds, double window, double noise, double origin) noexcept {
  constexpr int kPatience = 8;
  constexpr double kReach = 16.0;
  double t = 0.0;
  double value = local.coefficients()[0];
  double slope = local.slope(0.0);
  double advance = 0.0;
  if (value > bounds.fall + noise) return {Walk::beyond, window, 0.0};
  for (int i = 0; i < kPatience; ++i) {
    advance = safeAdvance(value, slope, bounds.curvature);
    if (!(t + advance < window)) return {Walk::beyond, window, 0.0};
    if (advance <= kRounding * (origin + t)) return {Walk::root, t, 0.0};
    t += advance;
    value = local.value(t);
    slope = local.slope(t);
    if (value > noise) continue;
    // within rounding of the root: the tangent says where, if it crosses
    if (slope < 0.0) t = std::clamp(t - value / slope, 0.0, window);
    return {Walk::root, t, 0.0};
  }
  return {Walk::tired, t, kReach * advance};
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
  Bounds bounds = boundsOf(p, end);
  if (p[0] > bounds.fall * (1.0 + kRounding)) return {false, end};

  constexpr int kMostWindows = 200;
  Local local(p);
  const double noise = kRounding * bounds.size;
  double origin = 0.0;
  double window = end;  // what the bounds are for; shorter ones have tighter bounds
  for (int i = 0; i < kMostWindows; ++i) {
    const Walk walk = walkFrom(local, bounds, window, noise, origin);
    if (walk.outcome == Walk::root) return {true, std::min(origin + walk.time, end)};
    origin += walk.time;
    const double left = end - origin;
    if (walk.outcome == Walk::beyond && !(left > 0.0)) return {false, end};
    local.recentre(walk.time);
    window = std::min(left, walk.outcome == Walk::beyond ? 2.0 * window : walk.reach);
    bounds = boundsOf(local.coefficients(), window);
  }
  return {false, origin};
}

}  // namespace ricochet
