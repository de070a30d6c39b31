#pragma once

#include "engine/transient/transient.hpp"

namespace ricochet {

struct Simulation;
struct Study;

/// Instants that the deck asks to be archived [s]; empty: every so many steps.
ArchiveTimes archiveTimesOf(const Study& study);

/// What the deck says of the run: interval, step, archived instants.
TransientOptions optionsOf(const Study& study, const Simulation& simulation);

}  // namespace ricochet
