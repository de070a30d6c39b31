#pragma once

#include "physical/assembly/assembler.hpp"

#include <array>

namespace ricochet {

/// Rigid motion of one dof, which need not belong to the structure, with a base that moves along `direction`:
/// see rigidDisplacementField.
double rigidDisplacementOfDof(const PhysicalModel& model, Dof dof,
                              const std::array<double, kComponents>& direction);

/// Rigid displacement field of a base motion `direction`: three translations d [m] and, if given, three
/// rotations theta [rad] about the origin. u = d + theta x r for translational dofs, theta for rotational
/// dofs; all dofs, including fixed ones.
Vector rigidDisplacementField(const PhysicalModel& model, const std::array<double, kComponents>& direction);

/// Static response of the structure to displaced supports: the field on all dofs that equals `imposed` at the
/// supports and is in equilibrium elsewhere, without loads on the free dofs,
///
///     T^t K (T y + imposed) = 0
///
/// (Clough and Penzien, Dynamics of Structures, multiple support excitation: the influence coefficients).
/// `imposed` is non-zero on fixed dofs only. Throws BasisError if the supports allow a motion of the
/// structure without stiffness.
Vector staticResponseToSupportMotion(const PhysicalModel& model, const Vector& imposed);

}  // namespace ricochet
