#pragma once

#include "engine/study/parts/study.hpp"

#include <vector>

namespace ricochet {

struct Simulation;
struct SupportShift;

/// Puts the initial displacement of a simulation into static equilibrium under the loads just after the
/// start, with its contacts but without their friction, so that nothing depends on a way that led there;
/// sticks are hooked where it stands. Where supports move it rests against their static modes. Starts from
/// what `initial` holds. Throws StudyError: nothing holds a part of the structure, or a contact is rigid.
void findEquilibrium(const Study& study, const std::vector<SupportShift>& shifts, Simulation& simulation);

}  // namespace ricochet
