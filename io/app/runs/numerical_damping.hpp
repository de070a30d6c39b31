#pragma once

#include "engine/transient/scheme_options.hpp"

#include <string>
#include <string_view>

namespace ricochet {

/// Removes the numerical damping of a scheme: gamma becomes 1/2, alpha 0. Returns the scheme and the
/// parameter that it had, or an empty text if the scheme damps nothing.
std::string removeNumericalDamping(std::string_view scheme, SchemeOptions& options);

}  // namespace ricochet
