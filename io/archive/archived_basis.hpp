#pragma once

#include "modal/modal_basis.hpp"
#include "physical/assembly/dof_map.hpp"

namespace ricochet {

class H5File;

/// Eigenvalues, shapes on the independent dofs and number of residual vectors of the basis in a result; the
/// other parts stay empty. Needs 8 bytes times (independent dofs x modes).
ModalBasis readArchivedBasis(const H5File& result, const DofMap& dofs);

}  // namespace ricochet
