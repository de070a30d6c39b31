#pragma once

#include "engine/transient/transient.hpp"

namespace ricochet {

struct Simulation;
struct Deck;

/// Instants that the deck asks to be archived [s]; empty: every so many steps.
ArchiveTimes archiveTimesOf(const Deck& study);

/// What the deck says of the run: interval, step, archived instants.
TransientOptions optionsOf(const Deck& study, const Simulation& simulation);

}  // namespace ricochet
