#pragma once

#include <string>

namespace ricochet {

/// Which schemes follow which laws and obstacles: a table in Markdown, a row for every listed kind and a
/// column for every scheme, made from `whyNot` (engine/study/supports.hpp) for a contact that has this kind
/// and nothing else.
std::string supportMatrix();

}  // namespace ricochet
