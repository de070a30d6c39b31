#pragma once

#include "engine/contact/contact_set.hpp"

namespace ricochet {

/// What the last trial of the contacts, a step h after the accepted state, overlooked of their memory, as an
/// error in energy norm [J^1/2]; for schemes that control their error.
///
/// A return mapping looks at the ends of a step only. When a slip stops inside, at a fraction theta, the way
/// that it went on (or came back) is not seen: the spring is hooked off by
///     d = 1/2 h theta p_0   when the trial sticks,   1/2 h (1 - theta) |p_1|   when it still slips,
/// p the plastic slip rate (the guard of the slip) at the ends, and holds a force that is wrong by k_t d: in
/// energy norm sqrt(k_t) d.
double memoryError(const ContactRun& contacts, double h) noexcept;

}  // namespace ricochet
