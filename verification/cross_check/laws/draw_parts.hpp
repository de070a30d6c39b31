#pragma once

#include "verification/cross_check/laws/part_model.hpp"

#include <cstdint>

namespace ricochet::cross {

/// Draws a model: a row of masses on springs or a small beam, with contacts, friction and links of the listed
/// laws, loads, a moving base and an initial state. `attempt`: number of the draw, which increases if a deck
/// is contradictory.
PartModel drawPartModel(std::uint64_t seed, std::uint64_t index, int attempt);

}  // namespace ricochet::cross
