#pragma once

#include <optional>

namespace ricochet {

struct Deck;
struct Simulation;

/// About how long a run will take [s], its output included: a share of it is run for some hundredths of a
/// second and shown to nobody, and the rest is taken to go on like that. Nothing where the run would be over
/// within these.
std::optional<double> estimatedTime(const Deck& deck, const Simulation& simulation);

}  // namespace ricochet
