#pragma once

#include "engine/transient/transient.hpp"

namespace ricochet {

struct Simulation;
struct Deck;

/// Archived instants that the deck requests [s]; empty: every n-th step.
ArchiveTimes archiveTimesOf(const Deck& study);

/// Options of the run from the deck: interval, step, archived instants.
TransientOptions optionsOf(const Deck& study, const Simulation& simulation);

}  // namespace ricochet
