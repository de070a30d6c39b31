#pragma once

namespace ricochet {

struct Simulation;
struct Study;

/// Puts the initial displacement and velocity of a study into the coordinates of a simulation, and warns
/// where these cannot hold them. Throws StudyError: a value on a dof that does not move, or that relations
/// give otherwise.
void setInitialState(const Study& study, Simulation& simulation);

}  // namespace ricochet
