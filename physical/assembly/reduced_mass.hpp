#pragma once

#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// Effective mass for an impulse along a direction b of the reduced coordinates [kg]:
///
///     m = 1 / (b^t M^-1 b)
///
/// M is the assembled mass matrix after elimination of relations and supports, so that m is a property of the
/// structure and not of a modal basis. For a single node with the mass m the result is m; for a pair m1
/// m2/(m1 + m2); for a point at the distance r from the centre of a rigid body 1/(1/m + r^2/I). For a node of
/// a mesh m depends on the mass matrix (free end of a bar with one element and a consistent mass: rho A L/3
/// along the bar), and decreases with the element length.
///
/// Massless dofs follow the others statically (condenseToDynamicModel), as do massless combinations of dofs,
/// such as the rotation of a node about an offset point mass.
///
/// Infinite if the direction moves no mass. Throws ModelError if M cannot be inverted and K does not hold the
/// massless dofs.
double reducedMass(const PhysicalModel& model, const Vector& direction);

}  // namespace ricochet
