#include "modal/damping.hpp"

#include <cassert>

namespace ricochet {

void addModalDamping(ModalBasis& basis, const Vector& ratio) {
  assert(ratio.size() == basis.size());
  basis.damping.diagonal() += 2.0 * ratio.cwiseProduct(basis.omega());
}

void addRayleighDamping(ModalBasis& basis, const RayleighDamping& rayleigh) {
  basis.damping.diagonal().array() += rayleigh.mass;
  basis.damping.diagonal() += rayleigh.stiffness * basis.eigenvalue;
}

}  // namespace ricochet
