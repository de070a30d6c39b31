#pragma once

#include "engine/study/simulation.hpp"
#include "io/deck/deck.hpp"

#include <memory>

namespace ricochet {

/// The functions of engine/study/simulation.hpp for a deck: errors are InputError, with the place in the
/// deck, instead of StudyError.
PhysicalModel assembleStudy(const Deck& deck);
ModalBasis computeModalBasisOfStudy(const Deck& deck, const PhysicalModel& physical);
std::unique_ptr<Simulation> prepare(const Deck& deck);
void projectStudy(const Deck& deck, Simulation& simulation);
std::unique_ptr<Simulation> prepareDirectSimulation(const Deck& deck, const Simulation* modal = nullptr);

/// Throws InputError for nodes of checks, of outputs and histories of a batch and, if `rows`, of
/// `output.nodes` whose motion a run cannot tell.
void requireKnownNodeMotions(const Deck& deck, const Simulation& simulation, bool rows);

}  // namespace ricochet
