#pragma once

#include "engine/event/automata/series_contact.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/numerics/certified_root.hpp"

#include <cstddef>

namespace ricochet {

/// Guard of friction along a line, by the law's own functions: the margin of a stick along +axis or -axis,
/// how long a slip goes on.
template <class Law, class Real>
Real frictionGuard(const Law& law, const SeriesContact& c, GuardSlot slot, const FrictionKinematics<Real>& k,
                   const FrictionMemory<Real>& memory) {
  const Tangential<double>& e = c.axis[0];
  if (slot == GuardSlot::ahead) return law.template margin<Real>(k, memory, e);
  if (slot == GuardSlot::back) return law.template margin<Real>(k, memory, {-e.first, -e.second});
  if constexpr (Law::traits.coneStick)
    if (c.relaxes()) return law.template excess<Real>(k, memory);
  return law.template guard<Real>(FrictionState::slip, k, memory);
}

/// The same where N goes like a power n of the penetration, and either has no series, being given to the
/// motion as a polynomial with its moments but not its values (see series_fit.cpp), or has one that ends
/// within the step, which the motion does not feel. Here N is that of the gap. In time it goes like a power n
/// of what has passed since the contact started, or is left to its end; with the root of that as the variable
/// there is a polynomial to look for roots in.
class PowerGuard {
 public:
  /// `orders` coefficients of forces hold.
  PowerGuard(const SeriesContact& c, GuardSlot slot, std::size_t orders) noexcept;

  /// The guard at t in the step.
  double at(double t) const noexcept;
  /// Its value right after N began, or of a margin, which begins with zero, its growth: where all that a
  /// power leaves open at the start has come to light, whether mu N' outgrows the rate of a traction.
  double atStart() const noexcept;
  /// The power of t with which it starts there: none of a slip, that of N of a margin, others from rest.
  double startingPower() const noexcept;
  /// Its first root in (0, step], where it starts as t^power times what is positive.
  RootSearch firstRoot(double step, double power) const noexcept;

 private:
  /// From 0 to 1 over a step.
  class Variable;
  struct Bracket {
    double low, high;
    bool changes;
  };
  Bracket bracket(const Variable& variable, double step, double power) const noexcept;

  const SeriesContact& c_;
  GuardSlot slot_;
  std::size_t orders_;
};

}  // namespace ricochet
