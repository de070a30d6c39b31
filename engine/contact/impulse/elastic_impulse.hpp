#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"

namespace ricochet {

/// A normal force [N] and its slope against the gap rate [N s/m].
struct ForceSlope {
  double value;
  double slope;
};
/// Mean force over a step of h in which the gap of a block changes at a constant `rate` from the block's gap:
/// the integral of the law of the block over the part of the step in which its contact is closed. The work of
/// this force is the energy that an undamped spring takes up, closings and openings inside the step included
/// (a discrete gradient), so that a step neither damps nor excites: exactly for a linear law or a table,
/// within the error of eight Gauss points for a power law. Source: R.A. LaBudde, D. Greenspan, Numer. Math.
/// 25 (1976) 323-346.
ForceSlope normalForce(const ImpulseBlock& block, double rate, double h) noexcept;

/// A traction [N], its slopes against the slip rate [N s/m] and against the normal force [-].
struct TractionSlopes {
  Tangential<double> value{};
  std::array<std::array<double, 2>, 2> ofSlip{};
  std::array<double, 2> ofNormal{};

  double largestTractionSlope() const noexcept;
};
/// Traction of the friction law of a block in the middle of a step of h [s] with a constant slip rate. In
/// stick, this is the mean traction over the step, whose work is exactly the energy that the spring stores. A
/// set-valued law has no such traction.
TractionSlopes meanTractionOfBlock(const ImpulseBlock& block, const Tangential<double>& slip,
                                   double h) noexcept;

/// Normal impulse of the law [N s] at a gap rate `free` + own x, by Newton's method from a closed contact.
double solveNormalLaw(const ImpulseBlock& block, double free, double own, double h) noexcept;

/// Tangential impulse of the friction law [N s] at a slip rate `free` + D x with D = {d11, d12, d22}, by
/// Newton's method on the slip rate.
Tangential<double> solveFrictionLaw(const ImpulseBlock& block, const std::array<double, 3>& d,
                                    const Tangential<double>& free, double h) noexcept;

}  // namespace ricochet
