#pragma once

#include "io/app/report/page_data.hpp"

#include <string>
#include <vector>

namespace ricochet {

struct Deck;

/// The structure of a result as JSON: nodes, lines between them, fixed dofs, and contacts with their axes.
/// The deck gives the kinds of the lines and the contacts; without a deck (null) both are omitted.
std::string modelAsJson(const H5File& file, const Deck* study, PageData& data);

/// Mode shapes and motion of the structure as JSON, or `null` for a result without a basis and histories of
/// nodes. Adds sentences about omitted data to `notes`.
std::string motionAsJson(const H5File& file, PageData& data, std::vector<std::string>& notes);

}  // namespace ricochet
