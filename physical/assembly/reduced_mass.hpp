#pragma once

#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// The mass that an impulse along a direction b of the reduced coordinates moves [kg]:
///
///     m = 1 / (b^t M^-1 b)
///
/// M is the mass matrix of the structure as assembled, relations and supports eliminated, so that m belongs
/// to the structure and not to the modes that a basis keeps of it. The mass of a node that has nothing else
/// is m; of a pair m1 m2/(m1 + m2); of a point at r of the centre of a rigid body 1/(1/m + r^2/I). Of a node
/// of a mesh m is what the matrix makes it (a free end of a bar of one element: rho A L/3 along it, with a
/// consistent mass), and falls with the length of the elements as any mass of a point does.
///
/// Dofs without mass follow the others statically (condenseMassless), and so does a combination of dofs
/// without mass, such as the rotation of a node about an offset point mass.
///
/// Infinite when the direction moves nothing that has mass. Throws ModelError when M cannot be inverted and K
/// does not hold what has no mass.
double reducedMass(const PhysicalModel& model, const Vector& direction);

}  // namespace ricochet
