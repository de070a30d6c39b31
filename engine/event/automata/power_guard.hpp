#pragma once

#include "engine/event/automata/series_contact.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/numerics/certified_root.hpp"

#include <cstddef>

namespace ricochet {

/// Guard of friction along a line, by the functions of its law: the margin mu_s N - |T| of a stick along
/// +axis or -axis, the slip rate of a slip.
template <class Law, class Real>
Real frictionGuard(const Law& law, const SeriesContact& c, GuardSlot slot, const FrictionKinematics<Real>& k,
                   const FrictionMemory<Real>& memory) {
  const Tangential<double>& e = c.axis[0];
  if (slot == GuardSlot::ahead) return law.template frictionConeMargin<Real>(k, memory, e);
  if (slot == GuardSlot::back) return law.template frictionConeMargin<Real>(k, memory, {-e.first, -e.second});
  if constexpr (requires { law.template tractionAboveDynamicFriction<Real>(k, memory); })
    if (c.hasRelaxingSlipSpring()) return law.template tractionAboveDynamicFriction<Real>(k, memory);
  return law.template guard<Real>(FrictionState::slip, k, memory);
}

/// Guard of friction of a contact whose N is a power n of the penetration, if N has no series up to the end
/// of the step. The expansion then uses a fitted polynomial (series_fit.cpp), which has the moments of N but
/// not its values, so that this guard evaluates N from the gap. N behaves like t^n from the start of the
/// contact, or up to its end: roots are sought as a function of the square root of this time, which is
/// smooth.
class PowerGuard {
 public:
  /// Creates the guard of a contact; `orders`: number of valid force coefficients.
  PowerGuard(const SeriesContact& c, GuardSlot slot, std::size_t orders) noexcept;

  /// Value of the guard at local time t of the step.
  double valueAt(double t) const noexcept;
  /// Value of the guard just after N began; for a margin, which begins at zero, its growth there: positive if
  /// mu N grows faster than the traction.
  double valueAtStart() const noexcept;
  /// Power of t with which the guard starts: 0 for a slip, n for a margin, and higher from rest.
  double leadingPowerOfTimeAtStart() const noexcept;
  /// First root in (0, step] of the guard, which starts as t^power times a positive value.
  RootSearch firstRoot(double step, double power) const noexcept;

 private:
  /// Variable of the search, from 0 to 1 over a step.
  class Variable;
  struct Bracket {
    double low, high;
    bool changes;
  };
  Bracket bracketRootOfGuard(const Variable& variable, double step, double power) const noexcept;

  const SeriesContact& c_;
  GuardSlot slot_;
  std::size_t orders_;
};

}  // namespace ricochet
