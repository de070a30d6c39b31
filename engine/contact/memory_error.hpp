#pragma once

#include "engine/contact/contact_set.hpp"

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

}  // namespace ricochet
