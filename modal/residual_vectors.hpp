#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

#include <vector>

namespace ricochet {

/// Augments a truncated basis by the static responses that it lacks, one for each direction b in which a
/// force can act (contacts, loads; reduced numbering, any scale):
///
///     r = (K^-1 - Phi diag(1/omega^2) Phi^t) b
///
/// The responses are made M-orthogonal to the modes, dependent responses are dropped, and K is diagonalised
/// in the remaining space, so that the whole basis satisfies Phi^t M Phi = I and Phi^t K Phi = diag(omega^2):
/// a static force along any b then gives its exact displacement along b. Since K phi = omega^2 M phi, a
/// vector M-orthogonal to the modes is K-orthogonal to them too; this is checked.
///
/// Dropped are responses below 1e-12 of the flexibility along their direction, dependent responses (1e-10 of
/// the strain energy), and responses that move no mass: Rayleigh quotient above 1e4 times k_ii / m_ii of the
/// stiffest dof. The last group is counted in `masslessResponses`.
///
/// To be called before damping is added (addModalDamping, addRayleighDamping). Throws BasisError if the basis
/// lacks a rigid-body mode, so that there is no static response.
void addResidualVectors(ModalBasis& basis, const PhysicalModel& model, const std::vector<Vector>& directions);

}  // namespace ricochet
