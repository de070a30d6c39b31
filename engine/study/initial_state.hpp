#pragma once

#include "engine/transient/kinematic.hpp"
#include "physical/types.hpp"

namespace ricochet {

struct Simulation;
struct Study;

/// The initial displacement of a study on the independent dofs [m], zero where none is given; dofs without
/// inertia included. Of a study that continues an earlier run: the displacement at the end of that run.
Vector initialDisplacementOf(const Study& study, const Simulation& simulation);

/// Sets the coordinates of a simulation to the initial displacement and velocity of a study, and warns if the
/// coordinates cannot represent them. Throws StudyError for a value on a dof that cannot move, or a value
/// that contradicts a linear relation.
void setInitialState(const Study& study, Simulation& simulation);

/// Part of the given initial displacement or velocity that the coordinates of a simulation cannot represent,
/// by the norm of the mass matrix; 0 where none is given.
double initialRemainder(const Study& study, const Simulation& simulation, Kinematic kind);

/// Throws StudyError for each rigid contact whose bodies overlap at the start: no law separates these bodies.
void requireNoInitialOverlap(const Study& study, const Simulation& simulation);

}  // namespace ricochet
