#pragma once

#include "engine/contact/passed_contacts.hpp"
#include "engine/model/coupled_run.hpp"

namespace ricochet {

/// Error of the balance of points without inertia (CoupledRun) whose laws depend on rates, for schemes with
/// step size control. Such a point has a motion of its own, c x' + k x = ..., which the coordinates do not
/// show and an integrator of the coordinates does not see.
///
/// The forces lambda_1 at the end of a step of h are compared with those of two steps of h/2 along the cubic
/// through displacements and velocities of its ends. Their change D is an error of the springs S that shift
/// the points, and of the velocity of the coordinates; the memories of friction differ by D_T. Accounts take
/// the force for straight within the step; what it leaves in the middle, L = lambda_m - (lambda_0 +
/// lambda_1)/2, is an energy that they miss, of a contact that closes within the step above all, even one
/// that moves no coordinate:
///
///     motion = sqrt(D S D + D_T^2/k_t) + h/2 |rows^t D|    [J^1/2]        accounts = L S L/2    [J]
///
/// Where a stick breaks, a slip stops or a point snaps through within the step, the root is of the first
/// order in h: it tells how well this instant is known. Rates of these points are differences of forces,
/// whose rounding grows as h falls, so that 1e-5 of the energy norm of the springs is left out there. Source
/// of the estimate: E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, section
/// II.4 (step doubling).
class CoupledError {
 public:
  CoupledError(const StaticCoupling& coupling, const ContactSet& contacts, const LinkSet& links);

  /// False if no law of the coupled contacts depends on a rate. Links bring an error of their own
  /// (LinkRun::memoryError), which is zero where a run starts from rest.
  static bool canOccur(const StaticCoupling& coupling, const ContactSet& contacts) noexcept;

  struct Parts {
    double motion{0.0};    ///< in energy norm [J^1/2]; infinite where one of the two halves has no solution
    double accounts{0.0};  ///< energy [J]
    double size{0.0};      ///< energy norm of the springs S [J^1/2]
    /// Both as one error for motions of the energy norm `largest` [J^1/2].
    double of(double largest) const noexcept { return motion + (largest > 0.0 ? accounts / largest : 0.0); }
  };
  /// Of the last trial of contacts and links, at the end of `step`.
  Parts of(const ContactRun& contacts, const LinkRun& links, const StepEnds& step);

 private:
  void tryMotionAt(double t, const Vector& q, const Vector& v);
  bool snapsThrough(const Vector& before, const Vector& after, const Vector& way) const;
  double velocityByForces(const Vector& forces) const;

  const StaticCoupling* coupling_;
  ContactRun contacts_;
  LinkRun links_;
  CoupledRun balance_;
};

}  // namespace ricochet
