#pragma once

#include "engine/study/parts/study.hpp"

#include <vector>

namespace ricochet {

struct Simulation;
struct SupportShift;

/// Sets the initial displacement of a simulation to the static equilibrium under the loads just after the
/// start. With moving supports the structure rests relative to their static modes. The search starts from
/// `initial`.
///
/// Links with a memory, such as yielding ones, are loaded in one increment from their unloaded states, as at
/// every start of a run. Without friction sticks are undeformed. With friction, the loads are applied in one
/// increment from `initial`, where sticks are undeformed; the run then starts with the forces of elastic
/// sticks (Simulation::restart). If reactions of rigid contacts are not unique, those of equal springs are
/// used.
///
/// The search descends the energy from there without passing the ridge of a round obstacle.
///
/// Throws StudyError if a part of the structure is not supported, if the equilibrium found is unstable, or if
/// the requested friction has no state of rest.
void findStaticEquilibrium(const Study& study, const std::vector<SupportShift>& shifts,
                           Simulation& simulation);

}  // namespace ricochet
