#pragma once

#include "engine/study/parts/study.hpp"
#include "physical/assembly/assembler.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

class MasslessDirections;

/// Reduced force b^t of a link along one of its axes: +1 on its first node and -1 on its second node.
Vector linkDirection(const LinkRequest& request, std::size_t axis, const PhysicalModel& physical);

/// Reduced force of a unit contact force along one axis of the contact frame (0: normal; 1, 2: tangents): on
/// the first body, with the opposite force on the second body. Zero if all dofs along the axis are fixed.
Vector contactDirection(const ContactRequest& request, int axis, const PhysicalModel& physical);

/// Reduced mass of the node (or the pair of nodes) of a contact along an axis [kg]. Infinite if nothing can
/// move along the axis, absent if the mass matrix does not define a value.
std::optional<double> reducedMassOfContact(const ContactRequest& request, int axis,
                                           const PhysicalModel& physical);

/// Friction of a contact whose stick has its damping.
struct DampedStick {
  AnyFrictionLaw law;
  /// Mass m of the critical damping c_t = 2 sqrt(m k_t) [kg]; empty: the study gives the damping.
  std::optional<double> mass;
};

/// Friction of each contact, in the order of the study: with the critical damping of its stick if the study
/// asks for it. m is the smallest value over the tangents of the reduced mass divided by s^2 (s:
/// Contact::tangentScale). On a curved obstacle the normal counts too, because it is a tangent at other
/// positions. A direction that moves dofs without inertia has the mass 0. The flexibility of a truncated
/// basis does not count: the value depends only on structure and contact, so that the modal and the direct
/// mode, every basis and every option of [direct] give the same value. Throws StudyError if the mass matrix
/// does not define a reduced mass, ModelError for dofs without inertia that nothing holds.
std::vector<DampedStick> findDampedSticks(const Study& study, const PhysicalModel& physical,
                                          const MasslessDirections& directions);

/// Text that reports the critical damping of a stick; empty if the study gives the damping.
std::optional<std::string> reportOfCriticalDamping(const std::string& contact, const DampedStick& stick);

/// Why a load must not move the point of a contact at once: a dashpot of its own, or a slip along a surface
/// that curves or moves; empty: it may. `tangential`: the traction moves the point.
std::string_view reasonAgainstJumpOfContact(const ContactRequest& request, const DampedStick& stick,
                                            bool tangential);

/// Reduced force of a load at factor 1: forces and moments on its node.
Vector loadDirection(const NodalLoad& load, const PhysicalModel& physical);

/// Groups the nodal loads by [[loads]] entry; the loads of an entry are consecutive.
std::vector<std::span<const NodalLoad>> groupNodalLoadsByDeckEntry(const Study& study);

/// Directions of the residual vectors that a study requires: the normal of each contact, its tangents if the
/// contact has friction, and one direction for each [[loads]] entry (the forces on all of its nodes), for
/// gravity and for each motion of the frame. Each is reduced to the dofs with mass, because the response of
/// dofs without inertia is not part of the basis. The static modes of moving supports are always included in
/// studies with contacts.
std::vector<Vector> directionsOfResidualVectors(const Study& study, const PhysicalModel& physical);

}  // namespace ricochet
