#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

#include <vector>

namespace ricochet {

/// Augments a truncated basis by the static responses that it leaves out, one for each direction b in which
/// something pushes (contacts, loads; reduced numbering, any scale):
///
///     r = (K^-1 - Phi diag(1/omega^2) Phi^t) b
///
/// The responses are made M-orthogonal to the modes, dependent ones are dropped, and K is diagonalised within
/// what remains, so that the whole basis keeps Phi^t M Phi = I and Phi^t K Phi = diag(omega^2): a static
/// force along any b then gives its exact displacement there. Since K phi = omega^2 M phi, what is
/// M-orthogonal to the modes does not couple with them through K either; that is checked.
///
/// Dropped are: responses below 1e-12 of the flexibility along their direction, dependent ones (1e-10 of the
/// strain energy), and those that move no mass: a Rayleigh quotient above 1e4 times k_ii / m_ii of the
/// stiffest dof. The last are counted in `masslessResponses`.
///
/// To be called before damping is added (addModalDamping, addRayleighDamping). Throws BasisError when the
/// basis leaves out a rigid-body mode: no static response.
void addResidualVectors(ModalBasis& basis, const PhysicalModel& model, const std::vector<Vector>& directions);

}  // namespace ricochet
