#pragma once

#include "engine/functions/time_function.hpp"

namespace ricochet {

/// Angular frequency [rad/s] of the sine that bends, on the mean over an interval and for its size, as much
/// as a function does: straight pieces of even length that follow this sine follow the function as well.
/// Jumps, which no piece follows, do not count. 0 for a function that does not bend.
double meanAngularFrequency(const TimeFunction& function, double begin, double end);

}  // namespace ricochet
