#pragma once

#include "engine/numerics/certified_root.hpp"

#include <array>
#include <span>

namespace ricochet {

/// A polynomial p[0] + p[1] t + ... on [0, end] as a sum of Chebyshev polynomials, c_k T_k(2 t/end - 1). In a
/// long step the powers cancel each other, so that bounds from the sizes of the p[k] are useless; the bounds
/// from the sizes of the c_k are tight.
class ChebyshevPolynomial {
 public:
  /// Converts at most kMost coefficients; the conversion is a sum and loses no accuracy.
  ChebyshevPolynomial(std::span<const double> p, double end) noexcept;

  /// Polynomial on [0, 1] of degree kNodes - 1 that has these values at the nodes.
  static constexpr std::size_t kNodes = 24;
  static ChebyshevPolynomial interpolant(const std::array<double, kNodes>& values) noexcept;
  /// Nodes of the polynomial, the roots of T_kNodes: increasing, within (0, 1).
  static const std::array<double, kNodes>& nodes() noexcept;

  /// Mean c_0 of the polynomial, and its reach sum |c_k|, k > 0: p >= mean - reach over the whole step.
  double mean() const noexcept { return c_[0]; }
  double sumOfCoefficientMagnitudes() const noexcept { return reach_; }

  /// First root in (0, end] of a polynomial that is positive at 0, certified as in `firstRoot` (numerics).
  /// With t = end sin^2(theta/2) the polynomial is a sum of c_k cos(k theta), whose second derivative is at
  /// most sum of k^2 |c_k|: this gives the bounding parabola in theta.
  RootSearch firstRoot() const noexcept;

  static constexpr std::size_t kMost = 40;

 private:
  ChebyshevPolynomial(std::size_t size, double end) noexcept : size_(size), end_(end) {}
  double firstCellThatMayContainRoot(double curvature, double noise) const noexcept;

  std::size_t size_;
  double end_;
  double reach_{0.0};
  // Chebyshev coefficients; their signs are changed so that theta = 0 is t = 0.
  alignas(64) std::array<double, kMost> c_{};
};

}  // namespace ricochet
