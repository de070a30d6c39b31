#pragma once

#include "engine/contact/contact_view.hpp"

namespace ricochet {

/// Adds the static displacement of a contact point (Contact::compliance S) to the quantities of its view,
/// whose kinematics are those of `x = offset + rows q` and whose forces lambda are final:
///
///     x += S lambda,   g += n.S lambda,   s' += t.S lambda'
///
/// (ContactView::gapRate stays the rate at which the bodies approach, which does not jump where the contact
/// closes and opens, as the rate of a point without inertia does) and writes lambda, lambda' and lambda'' to
/// ContactView::staticForce. The rates follow from the laws in closed form: N' = -k g' of a spring, T' = -k_t
/// s' in stick, and in slip along e = T/|T|
///
///     T' = mu N' e - k_t s'_p,   s'_p = s' - (s'.e) e,   e' = -k_t s'_p / (mu N).
///
/// For obstacles whose normal is constant. Nothing changes if S is zero.
void addStaticMotion(const ContactSet& set, int contact, const State& s, ContactView& view);

/// Adds the static displacement under the forces of other contacts (Contact::crossCompliance), after
/// addStaticMotion has written those of all contacts.
void addCrossMotion(const ContactSet& set, std::span<ContactView> views);

/// Traction inside a step in which a contact with a compliance sticks throughout: that of its spring at the
/// position in `view`, T = T_from - k_t (s - s_from), instead of a traction that is linear in time. The point
/// of a true stick then stays where it is. Nothing changes for other contacts and phases. To be called before
/// addStaticMotion.
void setStickInsideStep(const ContactSet& set, int contact, const ContactView& from, const ContactView& to,
                        ContactView& view);

}  // namespace ricochet
