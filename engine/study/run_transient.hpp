#pragma once

#include "engine/transient/transient.hpp"

#include <string_view>

namespace ricochet {

class DirectEquation;

/// Integrates from `state` (time = options.start) to the end by the scheme of a keyword, one of Integrators
/// or DirectIntegrators; asserts that it exists. Steps are start + n h, without drift, split at every
/// breakpoint of the loads; loads that jump act with their value before the jump on the step that ends there
/// and with the value after it on the next. Subnormal numbers are flushed to zero on this thread meanwhile.
/// Schemes that choose their steps land on every breakpoint too and keep within stepMin and stepMax; no step
/// they refuse is ever kept. A run that is resumed takes the same initial state, and throws CheckpointError
/// before anything is shown when the checkpoint does not suit it. So does one that goes on from the end of
/// another.
Report run(std::string_view scheme, ModalEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer);
Report run(std::string_view scheme, DirectEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer);

}  // namespace ricochet
