#pragma once

#include "engine/model/modal_equation.hpp"
#include "engine/transient/scheme_options.hpp"

#include <string_view>

namespace ricochet {

/// Bounds of the structure with every contact closed and sticking, which limit the step of explicit schemes.
struct StiffnessBounds {
  double omegaSquared{0.0};      ///< largest eigenvalue of Omega^2 + sum k b b^t [rad^2/s^2]
  double contact{0.0};           ///< largest eigenvalue of sum k b b^t alone [rad^2/s^2]
  double contactDamping{0.0};    ///< largest eigenvalue of sum c b b^t [1/s]
  double structureDamping{0.0};  ///< largest eigenvalue of the structure's C (symmetric part) [1/s]
};
StiffnessBounds stiffnessBounds(const ModalModel& model);

/// Largest step at which the scheme is stable on the linear system with all contacts closed and sticking [s];
/// infinite if the scheme has no limit.
///
/// For schemes that integrate the structure by steps, the limit is computed on a scalar oscillator that has
/// the bounds of the matrices, by the spectral radius of the scheme itself. The Rayleigh quotients of all
/// modes lie within these bounds, so that the computed limit is never above the true limit, and equal to the
/// true limit for an undamped structure.
///
/// For kick_drift the limit is computed with the contacts alone, since the drift is exact. A mode whose
/// damping does not prevent a resonance with the kicks (kick_drift.hpp) adds the condition (x/2) cot(x/2) >
/// h^2 k/4, x = omega h < pi, for the highest such mode: under this condition kick and drift conserve a
/// positive energy. Infinite for implicit schemes in their unconditionally stable range, for moreau, and for
/// schemes that choose their steps.
double largestSafeStep(const ModalModel& model, std::string_view scheme, const SchemeOptions& options = {});

/// True if a scheme can have a step limit at all; without a limit the bounds of the structure are not needed.
bool hasStableStepLimit(std::string_view scheme, const SchemeOptions& options = {});

/// Largest stable step of a structure with the given bounds; not for kick_drift.
double largestSafeStep(const StiffnessBounds& bounds, std::string_view scheme,
                       const SchemeOptions& options = {});

}  // namespace ricochet
