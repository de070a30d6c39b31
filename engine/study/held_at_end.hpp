#pragma once

#include "engine/functions/time_function.hpp"

namespace ricochet {

struct Study;

/// A function as a run of `study` takes it: at a jump the value after it, but at its end, where no step
/// follows, the value before it. From the start of the run on.
TimeFunction heldAtEnd(const TimeFunction& function, const Study& study);

/// The loads and the motions of bases of a study, likewise.
void holdLoadsAtEnd(Study& study);

}  // namespace ricochet
