#pragma once

#include "engine/study/parts/study.hpp"

#include <vector>

namespace ricochet {

struct Simulation;
struct SupportShift;

/// Sets the initial displacement of a simulation to the static equilibrium under the loads just after the
/// start. The contacts act without friction, so that the result is independent of the loading path; sticks
/// are undeformed in this position. With moving supports the structure rests relative to their static modes.
/// The iteration starts from `initial`. Throws StudyError if a part of the structure is not supported, or a
/// contact is rigid.
void findEquilibrium(const Study& study, const std::vector<SupportShift>& shifts, Simulation& simulation);

}  // namespace ricochet
