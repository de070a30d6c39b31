#pragma once

#include <span>

namespace ricochet {

/// Outcome of a search for the first root of a polynomial that is positive at 0.
struct RootSearch {
  bool found{false};
  double time{0.0};  ///< the root; or, when not found, up to where there is certainly none
};

/// First root of p(t) = p[0] + p[1] t + ... in (0, end], p(0) > 0.
///
/// No root is jumped: with p'' >= -M on the interval, p stays positive up to
///
///     t + (p' + sqrt(p'^2 + 2 M p)) / M        when p' > 0,
///     t + 2 p / (sqrt(p'^2 + 2 M p) - p')      otherwise
///
/// (two forms of one root of the bounding parabola: each avoids the cancellation of the other). The advance
/// is quadratic near a simple root and takes log(1/eps) steps past a near miss of relative height eps. A
/// value within the rounding of the evaluation counts as a root.
RootSearch firstRoot(std::span<const double> p, double end) noexcept;

/// How far a function stays positive that has this value > 0 and slope, and a second derivative of -curvature
/// at least: the parabola above.
double safeAdvance(double value, double slope, double curvature) noexcept;

/// sum of p[k] t^k
double polynomialAt(std::span<const double> p, double t) noexcept;

/// p / t^order where the first `order` coefficients are known to vanish
inline std::span<const double> deflated(std::span<const double> p, int order) noexcept {
  return p.subspan(static_cast<std::size_t>(order));
}

}  // namespace ricochet
