#pragma once

#include <span>

namespace ricochet {

// Polynomials p[0] + p[1] t + ... with one coefficient at least.

/// Integral from 0 to `end`.
double integral(std::span<const double> p, double end) noexcept;

/// Derivative at t. Even and odd powers apart, which halves the latency.
double slopeAt(std::span<const double> p, double t) noexcept;

/// Largest value over a step, if it can be above `known`. Between the samples by the parabola through three.
double peakOf(std::span<const double> p, double end, double known) noexcept;

/// Integral of a force times the rate of a position.
double work(std::span<const double> force, std::span<const double> position, double end) noexcept;

}  // namespace ricochet
