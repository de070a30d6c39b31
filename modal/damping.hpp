#pragma once

#include "modal/modal_basis.hpp"
#include "modal/rayleigh_damping.hpp"

namespace ricochet {

/// Adds 2 zeta_i omega_i to the diagonal of the generalized damping. `ratio` has one value per mode [-].
void addModalDamping(ModalBasis& basis, const Vector& ratio);

/// Adds a + b omega_i^2 to the diagonal of the generalized damping.
void addRayleighDamping(ModalBasis& basis, const RayleighDamping& rayleigh);

}  // namespace ricochet
