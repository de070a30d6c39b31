#pragma once

#include "io/study.hpp"
#include "physical/assembler.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// Reduced force of a unit force of a contact along one axis of its frame (0: normal; 1, 2: tangents): on the
/// first body, and its opposite on the second. Zero where nothing can move.
Vector contactDirection(const ContactRequest& request, int axis, const PhysicalModel& physical);

/// Reduced force of a load at its full size: forces and moments on its node.
Vector loadDirection(const NodalLoad& load, const PhysicalModel& physical);

/// The loads of each [[loads]] entry: its nodes follow one another.
std::vector<std::span<const NodalLoad>> loadsByEntry(const Study& study);

/// The directions of the residual vectors that a study asks for: the normal of each contact, its tangents
/// when it has friction, and one for each [[loads]] entry (its forces on all of its nodes); and, unasked, the
/// static modes of supports that contacts see move.
std::vector<Vector> residualDirections(const Study& study, const PhysicalModel& physical);

}  // namespace ricochet
