#pragma once

#include "engine/study/parts/study.hpp"

namespace ricochet {

/// Adds to a contact what supports that move give to its place beside the coordinates, which are those of the
/// motion in space (support_shift.hpp): nodes that are such supports, and obstacles that they carry. Throws
/// StudyError: carriers that turn, or that nothing moves.
void addDrift(const ContactRequest& request, const Study& study, Contact& contact);

}  // namespace ricochet
