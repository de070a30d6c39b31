#pragma once

#include "physical/assembly/assembler.hpp"

#include <array>

namespace ricochet {

/// Rigid field of a base that moves by `direction`: three translations [m] and, if given, three rotations
/// [rad] about the origin. u = d + theta x r at the translations, theta at the rotations; all dofs, fixed
/// ones too.
Vector rigidField(const PhysicalModel& model, const std::array<double, kComponents>& direction);

/// Static response of the structure to supports that are displaced: the field on all dofs that is `imposed`
/// at the supports and elsewhere in equilibrium, with no load on the free dofs,
///
///     T^t K (T y + imposed) = 0
///
/// (Clough and Penzien, Dynamics of Structures, multiple support excitation: the influence coefficients).
/// `imposed` is zero but on fixed dofs. Throws BasisError when the supports leave the structure free to move
/// without stiffness.
Vector staticMode(const PhysicalModel& model, const Vector& imposed);

}  // namespace ricochet
