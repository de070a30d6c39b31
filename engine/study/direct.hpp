#pragma once

#include "engine/model/direct_equation.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"

namespace ricochet {

/// Schemes of the direct mode: the same classes as in the modal mode.
template <class I>
struct IsDirect : std::bool_constant<I::traits.direct> {};
using DirectIntegrators = Integrators::Where<IsDirect>;

/// Bounds for the step limit of explicit schemes in physical coordinates, about 1e-3 (relative) above the
/// true values: largest eigenvalues by the Lanczos method with M as inner product.
StiffnessBounds stiffnessBounds(const DirectModel& model);

}  // namespace ricochet
