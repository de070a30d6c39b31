#pragma once

#include "engine/contact/contact_tangent.hpp"
#include "engine/links/link_set.hpp"

namespace ricochet {

/// Force of a link on its first node along its axes, from its accepted state, and its derivatives: the law on
/// dual numbers. A derivative that is infinite counts as none.
ContactTangent linkTangent(const Link& link, const LinkState& accepted,
                           const LinkMotion<double>& motion) noexcept;

}  // namespace ricochet
