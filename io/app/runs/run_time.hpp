#pragma once

#include <optional>

namespace ricochet {

struct Deck;
struct Simulation;

/// Estimated wall time of a run, output included [s], extrapolated from a trial run of a few hundredths of a
/// second without output. Empty if the whole run is shorter than the trial run.
std::optional<double> estimatedWallTime(const Deck& deck, const Simulation& simulation);

}  // namespace ricochet
