#pragma once

#include "engine/study/simulation.hpp"

#include <vector>

namespace ricochet {

/// The contacts of a study with their rows over the coordinates of a simulation; in the direct mode over the
/// contact dofs, which the function stores in `DirectModel::contactDofs`. `choices` reports the selected
/// damping of sticks. Throws StudyError for a law that the direct mode does not support.
std::vector<Contact> contactsOf(const Study& study, Simulation& simulation);

}  // namespace ricochet
