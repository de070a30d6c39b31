#pragma once

#include "engine/model/modal_equation.hpp"
#include "engine/transient/scheme_options.hpp"

#include <string_view>

namespace ricochet {

/// What limits an explicit scheme: the structure with every contact closed and sticking.
struct StiffnessBounds {
  double omegaSquared{0.0};      ///< largest eigenvalue of Omega^2 + sum k b b^t [rad^2/s^2]
  double contact{0.0};           ///< largest eigenvalue of sum k b b^t alone [rad^2/s^2]
  double contactDamping{0.0};    ///< largest eigenvalue of sum c b b^t [1/s]
  double structureDamping{0.0};  ///< largest eigenvalue of the structure's C (symmetric part) [1/s]
};
StiffnessBounds stiffnessBounds(const ModalModel& model);

/// Largest step at which the scheme is stable on the linear system with all contacts closed and sticking [s];
/// infinite when nothing limits it.
///
/// Schemes that step the structure: found on a scalar oscillator that has the bounds of the matrices, by the
/// spectral radius of the scheme itself; a Rayleigh quotient of every mode lies within the bounds, so the
/// limit is never above the true one, and equal to it for an undamped structure.
///
/// kick_drift: the same with the contacts alone, since the drift is exact. A mode too little damped to be
/// safe from resonance with the kicks (kick_drift.hpp) adds (x/2) cot(x/2) > h^2 k/4, x = omega h < pi, for
/// the highest such mode: the condition under which kick and drift conserve a positive energy.
/// Implicit schemes in their unconditionally stable range, moreau, and schemes that choose their steps:
/// infinite.
double largestSafeStep(const ModalModel& model, std::string_view scheme, const SchemeOptions& options = {});

/// Whether a scheme may have such a limit at all; without one nothing need be known of the structure.
bool hasStepLimit(std::string_view scheme, const SchemeOptions& options = {});

/// The same for a structure of which only the bounds are known; not for kick_drift.
double largestSafeStep(const StiffnessBounds& bounds, std::string_view scheme,
                       const SchemeOptions& options = {});

}  // namespace ricochet
