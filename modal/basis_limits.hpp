#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// Refuses a structure whose modes overflow: entries of K and M, masses and ratios K/M of the diagonals that
/// are more than 1e120 times 1 or less than its inverse (mass), as only a slip in the units makes them.
/// Throws BasisError, with the dof at fault.
void requireComputable(const PhysicalModel& model);

/// Refuses a basis with a number that is not finite. Throws BasisError.
void requireFinite(const ModalBasis& basis);

/// Number of negative eigenvalues of a symmetric matrix, those that rounding may make left out.
int negativeEigenvalues(const SparseMatrix& matrix);

/// k_ii / m_ii [rad^2/s^2] of the dofs that have both, increasing; {1} when none has.
std::vector<double> localOscillators(const SparseMatrix& stiffness, const SparseMatrix& mass);

}  // namespace ricochet
