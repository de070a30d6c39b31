#pragma once

#include "engine/model/linear_system.hpp"

namespace ricochet {

/// Damping loss of a heavily damped structure over a step of kick_drift.
///
/// The ledger uses the trapezoid of v.C v at the ends of steps. There the velocity includes the last kick,
/// h/2 f. A mode with c h of a few percent or more does not keep this velocity over the step; and a mode that
/// a force holds at rest still has the velocity of the kick, so that a false loss c (h f/2)^2 is added in
/// every step. The increments of a step do not contain a constant force: they belong to one free motion about
/// the position q_f at which the force holds the mode,
///
///     (dq, dv) = (D - 1) y,      D = drift_h,      y = (q - q_f, v) at the start of the step,
///
/// The loss of this free motion is exact for a mode under a constant force, and of second order otherwise:
///
///     lost = E(y) - E(D y),      E = (omega^2 q^2 + v^2)/2,
///
/// This is a quadratic form of the increments. For h -> 0 the form tends to c (dq^2/h + h dv^2/12). D - 1 is
/// singular if a mode makes a full turn in a step: a lightly damped mode with omega h >= pi keeps the
/// trapezoid, which is accurate enough there. For coupled modes D is the matrix exponential and the form is a
/// matrix.
class HeavyDamping {
 public:
  explicit HeavyDamping(const LinearSystem& linear) : linear_(&linear) {}

  /// True if steps of h [s] need the correction of the damping loss.
  static bool isDampingLossCorrectionNeeded(const LinearSystem& linear, double h);

  /// Computes the quadratic forms for steps of h [s]; they are kept while h is unchanged.
  void prepare(double h);

  /// Energy [J] lost over a step of the prepared length, minus the loss by the trapezoid.
  double dampingLossCorrection(const State& from, const State& to) const noexcept;

 private:
  void prepareDampingLossOfMode(Eigen::Index i);
  void prepareDampingLossOfCoupledModes();
  double dampingLossOfUncoupledModes(const State& from, const State& to) const noexcept;
  double dampingLossOfCoupledModes(const State& from, const State& to) const noexcept;

  const LinearSystem* linear_;
  double h_{-1.0};
  // Coefficients per mode: lost = qq dq^2 + qv dq dv + vv dv^2, and h c/2 of the trapezoid; zero for modes
  // that keep the trapezoid.
  Vector qq_, qv_, vv_, trapezoid_;
  Eigen::Index first_{0};  // index of the first mode with a form
  Matrix form_;            // quadratic form of (dq, dv), coupled modes only
  mutable Vector increment_, product_;
};

}  // namespace ricochet
