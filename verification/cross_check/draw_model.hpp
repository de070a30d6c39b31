#pragma once

#include "verification/cross_check/model.hpp"

#include <cstdint>

namespace ricochet::cross {

/// Draws model `index` of a seed; the model is the same on every machine.
ContactModel drawContactModel(std::uint64_t seed, std::uint64_t index);

}  // namespace ricochet::cross
