#pragma once

#include "engine/study/simulation.hpp"

#include <vector>

namespace ricochet {

/// The contacts of a study with their rows over the coordinates of a simulation; in the direct mode over the
/// contact dofs, which the function stores in `DirectModel::contactDofs`. `choices` reports the selected
/// damping of sticks. Throws StudyError for a law that the direct mode does not support.
std::vector<Contact> makeContactsOfStudy(const Study& study, Simulation& simulation);

/// Adds to a contact the displacements that moving supports impose on its nodes and on its obstacle. These
/// displacements come in addition to the coordinates, which describe the absolute motion (support_shift.hpp).
/// Throws StudyError if the carriers of an obstacle rotate or move differently, or if no base motion moves
/// them.
void addSupportDrift(const ContactRequest& request, const Study& study, Contact& contact);

}  // namespace ricochet
