#pragma once

#include "engine/links/links.hpp"
#include "io/deck/read_context.hpp"

namespace ricochet {

/// Reads the law of a link, named by the key `law`, with its parameters; reports invalid values as problems.
AnyLinkLaw readLinkLaw(ReadContext& context, const Section& link);

}  // namespace ricochet
