#pragma once

#include "engine/functions/time_function.hpp"

namespace ricochet {

struct Study;

/// Converts a function to the form that a run of `study` uses, from the start of the run: at a jump the
/// function has the value after the jump, but at the end of the run, where no step follows, the value before
/// the jump.
TimeFunction holdTimeFunctionAtEnd(const TimeFunction& function, const Study& study);

/// True if a function in this form jumps during the run of `study`: after its start. At any time if the study
/// has no run.
bool doesFunctionJumpDuringRun(const TimeFunction& function, const Study& study);

/// Converts a function whose rates are shown too: at the end of the run it has the value and the slope before
/// this end.
TimeFunction continueTimeFunctionBeyondEnd(const TimeFunction& function, const Study& study);

/// Applies `holdTimeFunctionAtEnd` to the loads and base motions of a study.
void holdLoadsAtEnd(Study& study);

}  // namespace ricochet
