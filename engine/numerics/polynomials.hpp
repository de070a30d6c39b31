#pragma once

#include <cstddef>
#include <span>

namespace ricochet {

// Polynomials p[0] + p[1] t + ... with at least one coefficient.

/// Integral of a polynomial from 0 to `end`.
double integral(std::span<const double> p, double end) noexcept;

/// Derivative of a polynomial at t, by separate Horner schemes for even and odd powers, which halves the
/// latency.
double slopeAt(std::span<const double> p, double t) noexcept;

/// Coefficients of the derivative, one fewer than those of p, which may be the same array.
void differentiate(std::span<const double> p, std::span<double> slope) noexcept;

// Bernstein forms: coefficients b of the sum of b[i] C(m, i) x^i (1 - x)^(m - i), m the degree.

/// Bernstein form of p', one coefficient fewer than p has.
void slopeInBernsteinForm(std::span<const double> p, std::span<double> b) noexcept;

/// Bernstein form of the Legendre polynomial P_degree(2 x - 1), of the degree b.size() - 1.
void legendreInBernsteinForm(std::size_t degree, std::span<double> b) noexcept;

/// Second derivative of a polynomial at t.
double secondDerivativeAt(std::span<const double> p, double t) noexcept;

/// Largest value of a polynomial on [0, end], if it can exceed `known`. Peaks between samples start from the
/// parabola through three samples.
double largestPolynomialValue(std::span<const double> p, double end, double known) noexcept;

/// Integral of a force times the rate of a position over [0, end].
double workOfForce(std::span<const double> force, std::span<const double> position, double end) noexcept;

}  // namespace ricochet
