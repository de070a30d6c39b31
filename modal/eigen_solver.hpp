#pragma once

#include "modal/basis_selection.hpp"
#include "modal/modal_basis.hpp"
#include "modal/solvers/basis_error.hpp"
#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// Extracts mass-normalised modes of K phi = omega^2 M phi.
///
/// Parts that move on their own are solved by themselves (structure_parts.hpp). Motions that strain nothing
/// come first, at exactly 0: translations, rotations, mechanisms (elastic_inverse.hpp); then the elastic
/// modes, by Lanczos iterations or densely (part_modes.hpp). Every mode is checked: residual below 1e-6 of
/// |K| |phi|, M-orthogonality, and the inertia of K - s M in the gap behind the last one (Sylvester), which
/// counts the modes there must be. `damping` of the result is Phi^t C Phi; modal damping is added by
/// `addModalDamping`.
///
/// Throws BasisError.
ModalBasis extractModes(const PhysicalModel& model, const BasisSelection& selection);

/// Number of eigenvalues of (K, M) below `eigenvalue` [rad^2/s^2]: negative pivots of K - eigenvalue M.
int countBelow(const PhysicalModel& model, double eigenvalue);

}  // namespace ricochet
