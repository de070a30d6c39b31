#pragma once

#include "engine/model/direct_equation.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"
#include "engine/transient/transient.hpp"

#include <string_view>

namespace ricochet {

/// Schemes of the direct mode: the same classes as in generalized coordinates.
template <class I>
struct IsDirect : std::bool_constant<I::traits.direct> {};
using DirectIntegrators = Integrators::Where<IsDirect>;

/// `run` in physical coordinates (transient.hpp); asserts that the scheme is one of DirectIntegrators.
Report run(std::string_view scheme, DirectEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer);

/// What limits an explicit scheme in physical coordinates, to a relative error of about 1e-3 above the true
/// values: largest eigenvalues by Lanczos' method with M as inner product.
StiffnessBounds stiffnessBounds(const DirectModel& model);

}  // namespace ricochet
