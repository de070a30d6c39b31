#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"

namespace ricochet {

/// A normal force [N] and its slope against the gap rate [N s/m].
struct ForceSlope {
  double value;
  double slope;
};
/// Mean force over a step of h in which the gap of a block changes at a constant `rate` from the block's gap:
/// the integral of its law over the part of the step in which its contact is closed. The work of this force
/// is the energy that an undamped spring takes up, closings and openings inside the step included (a discrete
/// gradient), so that a step neither damps nor excites: exactly for a law that is linear or a table, to the
/// rounding of eight Gauss points for a power.
/// Source: R.A. LaBudde, D. Greenspan, Numer. Math. 25 (1976) 323-346.
ForceSlope normalForce(const ImpulseBlock& block, double rate, double h) noexcept;

/// A traction [N], its slopes against the slip rate [N s/m] and against the normal force [-].
struct TractionSlopes {
  Tangential<double> value{};
  std::array<std::array<double, 2>, 2> ofSlip{};
  std::array<double, 2> ofNormal{};

  double largestSlope() const noexcept;
};
/// Traction of the friction law of a block in the middle of a step of h with a constant slip rate: in stick
/// the mean over the step, whose work is exactly the energy that the spring takes up. A set-valued law has
/// none.
TractionSlopes tractionOfBlock(const ImpulseBlock& block, const Tangential<double>& slip, double h) noexcept;

/// Normal impulse of the law, at a gap rate `free` + own x: Newton from the branch that pushes.
double solveNormalLaw(const ImpulseBlock& block, double free, double own, double h) noexcept;

/// Tangential impulse of the law at a slip rate `free` + D x, D = {d11, d12, d22}: Newton on the slip rate.
Tangential<double> solveFrictionLaw(const ImpulseBlock& block, const std::array<double, 3>& d,
                                    const Tangential<double>& free, double h) noexcept;

}  // namespace ricochet
