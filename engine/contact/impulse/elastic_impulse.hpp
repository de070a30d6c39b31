#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"

namespace ricochet {

/// A normal force [N] and its slope against the gap rate [N s/m].
struct ForceSlope {
  double value;
  double slope;
};
/// Force of the normal law of a block in contact when its gap changes at `rate` over a whole step of h.
ForceSlope normalForce(const ImpulseBlock& block, double rate, double h) noexcept;

/// A traction [N], its slopes against the slip rate [N s/m] and against the normal force [-].
struct TractionSlopes {
  Tangential<double> value{};
  std::array<std::array<double, 2>, 2> ofSlip{};
  std::array<double, 2> ofNormal{};

  double largestSlope() const noexcept;
};
/// Traction of the friction law of a block at a slip rate that lasts over a whole step of h. A set-valued law
/// has none.
TractionSlopes tractionOf(const ImpulseBlock& block, const Tangential<double>& slip, double h) noexcept;

/// Normal impulse of the law, at a gap rate `free` + own x: Newton from the branch that pushes.
double solveNormalLaw(const ImpulseBlock& block, double free, double own, double h) noexcept;

/// Tangential impulse of the law at a slip rate `free` + D x, D = {d11, d12, d22}: Newton on the slip rate.
Tangential<double> solveFrictionLaw(const ImpulseBlock& block, const std::array<double, 3>& d,
                                    const Tangential<double>& free, double h) noexcept;

}  // namespace ricochet
