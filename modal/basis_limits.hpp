#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

namespace ricochet {

/// Throws for a structure whose modes would overflow: entries of K and M, masses and ratios K/M of the
/// diagonals above 1e120, or masses below 1e-120; such values come from wrong units. Throws BasisError with
/// the responsible dof.
void requireComputableModes(const PhysicalModel& model);

/// Throws BasisError if a number of the basis is not finite.
void requireFiniteBasis(const ModalBasis& basis);

/// Number of negative eigenvalues of a symmetric matrix, without those that rounding can explain.
int countNegativeEigenvalues(const SparseMatrix& matrix);

/// Squared frequencies k_ii / m_ii [rad^2/s^2] of the dofs with both, increasing; {1} if there is no such
/// dof.
std::vector<double> squaredFrequenciesOfDofs(const SparseMatrix& stiffness, const SparseMatrix& mass);

}  // namespace ricochet
