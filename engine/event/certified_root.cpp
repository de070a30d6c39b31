#include "engine/event/certified_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

struct ValueAndSlope {
  double value;
  double slope;
  double size;  // sum of |p_k| t^k: what rounding is relative to
};

ValueAndSlope evaluate(std::span<const double> p, double t) noexcept {
  ValueAndSlope r{0.0, 0.0, 0.0};
  for (std::size_t k = p.size(); k-- > 0;) {
    r.slope = r.value + t * r.slope;
    r.value = p[k] + t * r.value;
    r.size = std::abs(p[k]) + t * r.size;
  }
  return r;
}

/// How far below p(0) the polynomial can fall on [0, end], and M with p'' >= -M there.
struct Bounds {
  double fall;
  double curvature;
};

Bounds boundsOf(std::span<const double> p, double end) noexcept {
  Bounds bounds{0.0, 0.0};
  double power = end;  // end^k
  const double perSquare = 1.0 / (end * end);
  for (std::size_t k = 1; k < p.size(); ++k, power *= end) {
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
  double value = 0.0;
  for (std::size_t k = p.size(); k-- > 0;) value = p[k] + t * value;
  return value;
}

RootSearch firstRoot(std::span<const double> p, double end) noexcept {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  constexpr int kMostAdvances = 400;
  const Bounds bounds = boundsOf(p, end);
  if (p[0] > bounds.fall * (1.0 + kRounding)) return {false, end};

  double t = 0.0;
  ValueAndSlope here = evaluate(p, 0.0);
  for (int i = 0; i < kMostAdvances; ++i) {
    if (here.value <= kRounding * here.size) {
      // within rounding of the root: the tangent says where, if it crosses
      if (here.slope < 0.0) t = std::clamp(t - here.value / here.slope, 0.0, end);
      return {true, t};
    }
    const double advance = safeAdvance(here.value, here.slope, bounds.curvature);
    if (!(t + advance < end)) return {false, end};
    if (advance <= kRounding * t) return {true, t};
    t += advance;
    here = evaluate(p, t);
  }
  return {false, t};
}

}  // namespace ricochet
