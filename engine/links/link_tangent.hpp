#pragma once

#include "engine/contact/contact_tangent.hpp"
#include "engine/links/link_set.hpp"

namespace ricochet {

/// Force of a link on its first node along its axes, from its accepted state, with its derivatives: the law
/// is evaluated on dual numbers. An infinite derivative is replaced by 0.
ContactTangent linkTangentMatrix(const Link& link, const LinkState& accepted,
                                 const LinkMotion<double>& motion, bool followsRates) noexcept;

}  // namespace ricochet
