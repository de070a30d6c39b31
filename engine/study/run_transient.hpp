#pragma once

#include "engine/transient/transient.hpp"

#include <string_view>

namespace ricochet {

class DirectEquation;

/// Integrates from `state` (time = options.start) to the end by the scheme with the given keyword, one of
/// Integrators or DirectIntegrators; asserts that the scheme exists. Steps are start + n h without drift,
/// split at every breakpoint of the loads. A load that jumps has the value before the jump in the step that
/// ends there, and the value after the jump in the next step. Subnormal numbers are flushed to zero on this
/// thread during the run. Schemes that choose their steps also stop at every breakpoint and keep within
/// stepMin and stepMax; a refused step is never accepted later. A resumed run has the same initial state as
/// the interrupted run. CheckpointError is thrown, before any output, if the checkpoint does not belong to
/// the run; a run that continues from the end of another run throws likewise.
Report run(std::string_view scheme, ModalEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer);
Report run(std::string_view scheme, DirectEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer);

}  // namespace ricochet
