#pragma once

#include "engine/study/parts/study.hpp"

namespace ricochet {

/// Adds to a contact the displacements that moving supports impose on its nodes and on its obstacle. These
/// displacements come in addition to the coordinates, which describe the absolute motion (support_shift.hpp).
/// Throws StudyError if the carriers of an obstacle rotate or no base motion moves them.
void addDrift(const ContactRequest& request, const Study& study, Contact& contact);

}  // namespace ricochet
