#pragma once

#include "engine/model/linear_system.hpp"

namespace ricochet {

/// What a heavily damped structure loses over a step of kick_drift.
///
/// The accounts take the trapezoid of v.C v at the ends of steps. There a velocity has the last kick, h/2 f,
/// which a mode with c h of some percent and more does not keep over the step, and where a force holds it at
/// rest it has the velocity of the kick still: c (h f/2)^2 is booked for ever. The increments of a step do
/// not see a force that stays: they belong to one free motion about where the force holds the mode,
///
///     (dq, dv) = (D - 1) y,      D = drift_h,      y = (q - q_f, v) at the start of the step,
///
/// and what that motion loses is exact for a mode under a constant force, of second order otherwise:
///
///     lost = E(y) - E(D y),      E = (omega^2 q^2 + v^2)/2,
///
/// a quadratic form of the increments. As h -> 0 it is c (dq^2/h + h dv^2/12). D - 1 has no inverse where a
/// mode goes round in a step: a mode with omega h >= pi that is damped lightly stays with the trapezoid,
/// which samples it well enough. For coupled modes D is the matrix exponential and the form has a matrix.
class HeavyDamping {
 public:
  explicit HeavyDamping(const LinearSystem& linear) : linear_(&linear) {}

  /// Whether steps of h [s] ask for it.
  static bool isIn(const LinearSystem& linear, double h);

  /// Forms for steps of h; kept for as long as the step stays the same.
  void prepare(double h);

  /// Energy [J] lost over a step of the h prepared, less the trapezoid's.
  double correction(const State& from, const State& to) const noexcept;

 private:
  void prepareMode(Eigen::Index i);
  void prepareCoupled();
  double lostUncoupled(const State& from, const State& to) const noexcept;
  double lostCoupled(const State& from, const State& to) const noexcept;

  const LinearSystem* linear_;
  double h_{-1.0};
  // by mode: lost = qq dq^2 + qv dq dv + vv dv^2, and h c/2 of the trapezoid; zero for modes that keep it
  Vector qq_, qv_, vv_, trapezoid_;
  Eigen::Index first_{0};  // the first mode with a form
  Matrix form_;            // coupled only: of (dq, dv)
  mutable Vector increment_, product_;
};

}  // namespace ricochet
