#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/contact/passed_contacts.hpp"

namespace ricochet {

/// Error of the friction memory in the last trial of the contacts, a step h after the accepted state, in
/// energy norm [J^1/2]; for schemes with step size control. The larger of two estimates counts.
///
/// A return mapping evaluates only the ends of a step. When a slip stops inside the step, at a fraction
/// theta, the slip after (or the return before) this instant is missed: the spring is anchored at a position
/// that is wrong by
///     d = 1/2 h theta p_0   when the trial sticks,   1/2 h (1 - theta) |p_1|   when it still slips,
/// with p the plastic slip rate (the guard of the slip) at the ends. The force is then wrong by k_t d, in
/// energy norm sqrt(k_t) d.
///
/// For bristles, a relaxing spring or a slip that turns in the plane, the mapping itself has an error of
/// finite order. The estimate is the change Delta T_e of the spring force when two half steps replace the
/// step, in energy norm |Delta T_e|/sqrt(k_t).
///
/// CoupledError treats contacts on parts without inertia whose laws depend on rates.
double frictionMemoryError(const ContactRun& contacts, double h) noexcept;

/// Difference of the friction memories of two states of a contact, |Delta T_e|/sqrt(k_t) [J^1/2].
double frictionMemoryDifference(const Contact& contact, const ContactState& a,
                                const ContactState& b) noexcept;

/// Error of the memories of contact areas, damped sticks and curved or moving paths in the last trial, in
/// energy norm [J^1/2], for schemes with step size control. The trial is repeated in two half steps, along
/// the cubic through both ends of the step: the slip, its path and frame are then evaluated at the middle
/// too. Compared are, with T_e the force of a tangential spring and f_i the force on point i of an area, of
/// stiffness k_i,
///     |Delta T_e|/sqrt(k_t)    sqrt(sum_i |Delta f_i|^2/k_i)    sqrt(|Delta F|^2/k_t + Delta M^2/k_r)
///
/// Where a coefficient drops with the speed of the slip, the force and not a spring is wrong: its error is at
/// most the velocity that it causes over the step.
class HalvedTrial {
 public:
  explicit HalvedTrial(const ContactSet& set);

  /// True if a contact of the set has such a memory.
  static bool needsTrialInHalfSteps(const ContactSet& set) noexcept;

  double estimateError(const ContactRun& contacts, const StepEnds& step) noexcept;

 private:
  double halvedStepErrorOfContact(std::size_t i, const ContactRun& contacts, double h) const noexcept;

  ContactRun halved_;
  EnergyLedger ledger_;  // unused energy account of the half step
  Vector middle_, rate_;
};

}  // namespace ricochet
