#pragma once

#include "engine/transient/transient.hpp"
#include "io/prepare/row_limit.hpp"

#include <cstddef>

namespace ricochet {

struct Simulation;
struct Deck;

/// Archived instants that the deck requests [s]; empty: every n-th step.
ArchiveTimes archiveTimesOfRun(const Deck& study);

/// Archived instants of a prepared run. With the event scheme, whose steps are longer than the periods of the
/// motion, the default is evenly spaced instants: 20 in the shortest relevant period, of the modes and of the
/// functions that drive the model (meanAngularFrequency), and at least 1000, but at most 2e7 values, and half
/// of the rows that are written without a request. A mode is relevant if the motion without it would lack a
/// thousandth of the compliance at a load or at a contact, or of the energy at the start. Rows at events are
/// added to these rows (TransientOptions).
ArchiveTimes archiveTimesOfRun(const Deck& study, const Simulation& simulation);

/// True if the deck does not request rows.
bool doesDeckRequestNoRows(const Deck& study);

/// Largest number of rows of a run whose deck does not request rows: a million, and at most a gigabyte.
std::size_t rowLimitWithoutRequest(const Deck& study, const Simulation& simulation);

/// True if all steps of a run have one length that is known before the run.
bool hasEvenSteps(const Deck& study, const Simulation& simulation);

/// Number of steps between archived rows. Without a request in the deck: one step, or for steps of one length
/// the number that gives at most rowLimitWithoutRequest rows. 0 if rows at instants and at events replace
/// rows at steps.
int stepsPerRow(const Deck& study, const Simulation& simulation);

/// Limit of the rows of a run whose scheme chooses its steps and whose deck does not request rows:
/// rowLimitWithoutRequest.
RowLimit rowLimitOf(const Deck& study, const Simulation& simulation);

/// Approximate number of values of an archived row.
std::size_t approximateValuesPerRow(const Deck& study, const Simulation& simulation);

/// Options of the run from the deck: interval, step, archived instants.
TransientOptions transientOptionsOf(const Deck& study, const Simulation& simulation);

/// The same with other archived instants: those of the deck may take long to be found (archiveTimesOfRun).
TransientOptions transientOptionsOf(const Deck& study, const Simulation& simulation, ArchiveTimes archived);

}  // namespace ricochet
