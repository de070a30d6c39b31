#pragma once

#include "engine/transient/transient.hpp"
#include "io/prepare/row_limit.hpp"

#include <cstddef>

namespace ricochet {

struct Simulation;
struct Deck;

/// Archived instants that the deck requests [s]; empty: every n-th step.
ArchiveTimes archiveTimesOf(const Deck& study);

/// The same for a run that is prepared. Under event, whose steps are longer than what they pass, the default
/// is evenly spaced instants: 20 in the shortest period that matters and 1000 at least, but no more than 2e7
/// values, and half of the rows that are written unasked. A mode matters if the motion without it would lack
/// a thousandth: of the compliance at a load or at a contact, or of the energy at the start. A row at every
/// event comes to these (TransientOptions).
ArchiveTimes archiveTimesOf(const Deck& study, const Simulation& simulation);

/// Whether the deck says nothing about rows.
bool asksForNoRows(const Deck& study);

/// The most rows of a run whose deck says nothing about rows: a million, and no more than a gigabyte of them.
std::size_t rowLimitWithoutRequest(const Deck& study, const Simulation& simulation);

/// True if all steps of a run have one length, which is known before it.
bool hasEvenSteps(const Deck& study, const Simulation& simulation);

/// Number of steps between archived rows: what the deck says; where it says nothing about rows, one step, or
/// as many as leave rowLimitWithoutRequest of steps of one length. 0 where rows at instants and at events
/// take their place.
int stepsPerRow(const Deck& study, const Simulation& simulation);

/// Limit of the rows of a run that chooses its steps and whose deck says nothing about rows:
/// rowLimitWithoutRequest.
RowLimit rowLimitOf(const Deck& study, const Simulation& simulation);

/// Approximate number of values of an archived row.
std::size_t valuesOfRow(const Deck& study, const Simulation& simulation);

/// Options of the run from the deck: interval, step, archived instants.
TransientOptions optionsOf(const Deck& study, const Simulation& simulation);

}  // namespace ricochet
