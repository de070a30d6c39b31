#pragma once

#include "engine/links/links.hpp"
#include "io/deck/read_context.hpp"

namespace ricochet {

/// The law of a link by its key `law`, with its parameters; what is bad becomes a problem.
AnyLinkLaw readLinkLaw(ReadContext& context, const Section& link);

}  // namespace ricochet
