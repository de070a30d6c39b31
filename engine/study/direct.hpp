#pragma once

#include "engine/model/direct_equation.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"

namespace ricochet {

/// Schemes of the direct mode: the same classes as in generalized coordinates.
template <class I>
struct IsDirect : std::bool_constant<I::traits.direct> {};
using DirectIntegrators = Integrators::Where<IsDirect>;

/// What limits an explicit scheme in physical coordinates, to a relative error of about 1e-3 above the true
/// values: largest eigenvalues by Lanczos' method with M as inner product.
StiffnessBounds stiffnessBounds(const DirectModel& model);

}  // namespace ricochet
