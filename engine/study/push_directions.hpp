#pragma once

#include "engine/study/parts/study.hpp"
#include "physical/assembly/assembler.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ricochet {

/// Reduced force of a unit force of a contact along one axis of its frame (0: normal; 1, 2: tangents): on the
/// first body, and its opposite on the second. Zero where nothing can move.
Vector contactDirection(const ContactRequest& request, int axis, const PhysicalModel& physical);

/// Mass of the node of a contact (of a pair, of both) along an axis [kg]: reducedMass. Infinite where nothing
/// can move, absent where the mass matrix does not tell.
std::optional<double> contactMass(const ContactRequest& request, int axis, const PhysicalModel& physical);

/// The mass m of "critical" stick damping c_t = 2 sqrt(m k_t) [kg]: the smallest of the tangents, along each
/// m/s^2 with s the share of the slip that friction feels (Contact::tangentScale). On a curved obstacle the
/// normal is a tangent elsewhere and counts too. A number of the structure and the contact: it is the same in
/// both modes, for every basis and whatever [direct] does to the masses. Throws StudyError where the mass
/// matrix does not tell.
double stickMass(const ContactRequest& request, const PhysicalModel& physical);

/// "critical" damping of the stick of a contact, if it is asked for; returns what was chosen, in words.
std::optional<std::string> dampCritically(const ContactRequest& request, const PhysicalModel& physical,
                                          Contact& contact);

/// Reduced force of a load at its full size: forces and moments on its node.
Vector loadDirection(const NodalLoad& load, const PhysicalModel& physical);

/// The loads of each [[loads]] entry: its nodes follow one another.
std::vector<std::span<const NodalLoad>> loadsByEntry(const Study& study);

/// The directions of the residual vectors that a study asks for: the normal of each contact, its tangents
/// when it has friction, and one for each [[loads]] entry (its forces on all of its nodes); and, unasked, the
/// static modes of supports that contacts see move.
std::vector<Vector> residualDirections(const Study& study, const PhysicalModel& physical);

}  // namespace ricochet
