#pragma once

#include "io/deck/contacts/read_obstacles.hpp"

#include <string_view>

namespace ricochet {

/// Reads the keys of a curved obstacle of this type, and the key `thickness` of its contact.
void readCurvedObstacle(const Section& contact, const Section& obstacle, std::string_view type,
                        const ContactNodes& nodes, ContactRequest& request);

}  // namespace ricochet
