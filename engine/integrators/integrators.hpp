#pragma once

#include "engine/integrators/central_difference.hpp"
#include "engine/integrators/kick_drift.hpp"
#include "engine/integrators/symplectic_euler.hpp"
#include "engine/type_list.hpp"

namespace ricochet {

using Integrators = TypeList<KickDrift, CentralDifference, SymplecticEuler>;

/// An integrator for a system; only those that move the linear part themselves need to know it.
template <class I>
I makeIntegrator(const LinearSystem& linear) {
  if constexpr (std::is_constructible_v<I, const LinearSystem&>)
    return I(linear);
  else
    return I{};
}

}  // namespace ricochet
