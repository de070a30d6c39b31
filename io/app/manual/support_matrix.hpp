#pragma once

#include <string>

namespace ricochet {

/// Table in Markdown of the laws and obstacles that each scheme supports: a row for every listed kind and a
/// column for every scheme, from `reasonAgainstScheme` (engine/study/supports.hpp) for a contact with only
/// this kind.
std::string tableOfSchemeSupport();

}  // namespace ricochet
