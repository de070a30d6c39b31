#pragma once

#include "engine/contact/contact_view.hpp"

namespace ricochet {

/// Adds the static displacement of a contact point (Contact::compliance S) to the quantities of its view,
/// whose kinematics are those of `x = offset + rows q` and whose forces lambda are final:
///
///     x += S lambda,   g += n.S lambda,   s' += t.S lambda'
///
/// (ContactView::gapRate stays the approach rate of the bodies, which is continuous at closing and opening,
/// unlike the rate of a point without inertia) and writes lambda, lambda' and lambda'' to
/// ContactView::staticForce. The rates follow from the laws in closed form: N' = -k g' of a spring, T' = -k_t
/// s' in stick, and in slip along e = T/|T|
///
///     T' = mu N' e - k_t s'_p,   s'_p = s' - (s'.e) e,   e' = -k_t s'_p / (mu N).
///
/// The obstacle must have a constant normal. Nothing changes if S is zero.
void addDisplacementByStaticForce(const ContactSet& set, int contact, const State& s, ContactView& view);

/// Adds to each view the static displacement under the forces of other contacts
/// (Contact::crossCompliance), after addDisplacementByStaticForce has written these forces.
void addCrossComplianceDisplacement(const ContactSet& set, std::span<ContactView> views);

/// Sets the traction inside a step in which a contact with a compliance sticks throughout, from its spring at
/// the position in `view`, T = T_from - k_t (s - s_from), instead of a traction that is linear in time. The
/// contact point of a rigid stick then does not move. Nothing changes for other contacts and phases. To be
/// called before addDisplacementByStaticForce.
void setStickTractionInsideStep(const ContactSet& set, int contact, const ContactView& from,
                                const ContactView& to, ContactView& view);

}  // namespace ricochet
