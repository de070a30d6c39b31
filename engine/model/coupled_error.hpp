#pragma once

#include "engine/contact/passed_contacts.hpp"
#include "engine/model/coupled_run.hpp"

namespace ricochet {

/// Error of the balance of points without inertia (CoupledRun) whose laws depend on rates, for schemes with
/// step size control. Such a point moves by an equation c x' + k x = ... of its own, whose error an
/// integrator of the coordinates does not estimate.
///
/// The forces lambda_1 at the end of a step of h [s] are compared with the forces after two steps of h/2
/// along the cubic through displacements and velocities of its ends. The difference D is an error of the
/// springs S that shift the points, and of the velocity of the coordinates; the friction memories differ by
/// D_T. The energy balance assumes a linear force within the step; its deviation at the middle, L = lambda_m
/// - (lambda_0 + lambda_1)/2, is a missing energy, mainly of contacts that close within the step, even
/// without motion of a coordinate:
///
///     motion = sqrt(D S D + D_T^2/k_t) + h/2 |rows^t D|    [J^1/2]        accounts = L S L/2    [J]
///
/// If a stick breaks, a slip stops or a point snaps through within the step, the square root is of first
/// order in h: an estimate of the error of this instant. Rates of these points are differences of forces,
/// whose rounding error grows as h decreases; in such steps, 1e-5 of the energy norm of the springs is
/// subtracted. Source of the estimate: E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential
/// Equations I, section II.4 (step doubling).
class CoupledError {
 public:
  CoupledError(const StaticCoupling& coupling, const ContactSet& contacts, const LinkSet& links);

  /// False if no law of the coupled contacts and links depends on a rate. LinkRun::errorOfInternalVariables
  /// does not suffice for links: it repeats the step along the displacements that the shifts of one step
  /// give, and does not see that these shifts are linear in time.
  static bool doesCouplingDependOnRates(const StaticCoupling& coupling, const ContactSet& contacts,
                                        const LinkSet& links) noexcept;

  struct Parts {
    /// Error of the motion in energy norm [J^1/2]; infinite if one of the two half steps has no solution.
    double motion{0.0};
    double accounts{0.0};  ///< energy that the balance misses [J]
    double size{0.0};      ///< energy norm of the springs S [J^1/2]
    /// Sum of both errors, for motions with the energy norm `largest` [J^1/2].
    double sumOfErrorsInEnergyNorm(double largest) const noexcept {
      return motion + (largest > 0.0 ? accounts / largest : 0.0);
    }
  };
  /// Error of the last trial of contacts and links at the end of `step`.
  Parts errorOfTrial(const ContactRun& contacts, const LinkRun& links, const StepEnds& step);

 private:
  void evaluateTrialAt(double t, const Vector& q, const Vector& v);
  bool doCoupledPointsSnapThrough(const Vector& before, const Vector& after, const Vector& way) const;
  double velocityChangeRateUnderForces(const Vector& forces) const;

  const StaticCoupling* coupling_;
  ContactRun contacts_;
  LinkRun links_;
  CoupledRun balance_;
};

}  // namespace ricochet
