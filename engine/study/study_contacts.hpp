#pragma once

#include "engine/study/simulation.hpp"

#include <vector>

namespace ricochet {

/// The contacts of a study with their rows over the coordinates of a simulation; in the direct mode over the
/// dofs that contacts and links touch, `DirectModel::contactDofs`, which it finds. Says in `choices` what
/// damping of sticks was chosen. Throws StudyError: a law that the direct mode cannot follow.
std::vector<Contact> contactsOf(const Study& study, Simulation& simulation);

}  // namespace ricochet
