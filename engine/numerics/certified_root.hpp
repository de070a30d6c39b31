#pragma once

#include <span>

namespace ricochet {

/// Result of a search for the first root of a polynomial that is positive at 0.
struct RootSearch {
  bool found{false};
  double time{0.0};  ///< the root; without a root, the end of the interval that certainly has no root
};

/// First root of p(t) = p[0] + p[1] t + ... in (0, end], for p(0) > 0.
///
/// No root is missed: with p'' >= -M on the interval, p stays positive up to
///
///     t + (p' + sqrt(p'^2 + 2 M p)) / M        when p' > 0,
///     t + 2 p / (sqrt(p'^2 + 2 M p) - p')      otherwise
///
/// (two forms of the same root of the bounding parabola: each avoids the cancellation of the other). The
/// convergence is quadratic near a simple root; a near miss of relative height eps takes log(1/eps) advances.
/// A value within the rounding error of the evaluation counts as a root.
RootSearch firstRoot(std::span<const double> p, double end) noexcept;

/// Distance over which a function certainly stays positive, if the function has this value > 0, this slope
/// and a second derivative of at least -curvature: the root of the parabola above.
double distanceOfCertainPositivity(double value, double slope, double curvature) noexcept;

/// Value of a polynomial at t: sum of p[k] t^k.
double polynomialAt(std::span<const double> p, double t) noexcept;

/// Quotient p / t^order of a polynomial whose first `order` coefficients are zero.
inline std::span<const double> deflatedPolynomial(std::span<const double> p, int order) noexcept {
  return p.subspan(static_cast<std::size_t>(order));
}

/// The polynomial up to its first coefficient beyond the range of numbers: frequencies of 1e7 1/s and
/// products of series reach it, at powers whose terms are far below rounding over a step.
std::span<const double> leadingFiniteCoefficients(std::span<const double> p) noexcept;

}  // namespace ricochet
