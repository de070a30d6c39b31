#pragma once

#include "modal/modal_basis.hpp"

namespace ricochet {

/// Rayleigh damping C = a M + b K: a [1/s], b [s].
struct RayleighDamping {
  double mass{0.0};
  double stiffness{0.0};
};

/// Adds 2 zeta_i omega_i to the diagonal of the generalized damping. `ratio` has one value per mode [-].
void addModalDamping(ModalBasis& basis, const Vector& ratio);

/// Adds a + b omega_i^2 to the diagonal of the generalized damping.
void addRayleighDamping(ModalBasis& basis, const RayleighDamping& rayleigh);

}  // namespace ricochet
