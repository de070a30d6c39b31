#pragma once

#include "modal/basis_selection.hpp"
#include "modal/modal_basis.hpp"
#include "modal/solvers/basis_error.hpp"
#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// Extracts mass-normalised modes of K phi = omega^2 M phi.
///
/// Independent parts of the structure are solved separately (structure_parts.hpp). Motions without strain
/// come first, with the eigenvalue 0: translations, rotations, mechanisms (elastic_inverse.hpp); then elastic
/// modes, by Lanczos iterations or a dense solver (part_modes.hpp). Every mode is checked: residual below
/// 1e-6 of |K| |phi|, M-orthogonality, and the inertia of K - s M in the gap above the last mode (Sylvester),
/// which gives the number of modes below s. `damping` of the result is Phi^t C Phi; modal damping is added by
/// `addModalDamping`.
///
/// Throws BasisError.
ModalBasis extractModes(const PhysicalModel& model, const BasisSelection& selection);

/// Number of eigenvalues of (K, M) below `eigenvalue` [rad^2/s^2]: negative pivots of K - eigenvalue M.
int countEigenvaluesBelow(const PhysicalModel& model, double eigenvalue);

}  // namespace ricochet
