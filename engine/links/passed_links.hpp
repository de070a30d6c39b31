#pragma once

#include "engine/links/link_set.hpp"

namespace ricochet {

/// Velocity that forces of links would give which no stage of a step may have met, in energy norm [J^1/2],
/// for schemes that choose long steps: a stop behind a gap that the motion reaches and leaves within the
/// step, or a hump of a table in the way. Only links count whose force is one straight function of the motion
/// at both ends of the trial: the stages of a scheme disagree where it is not.
///
/// The force is looked at where the motion turns, on the cubic through displacements and rates of the ends,
/// and as the mean over the way of a table, whose integral is exact. The error is the step times the largest
/// force beside the straight function, so that it vanishes with the step.
double unseenForceError(const LinkRun& links) noexcept;

}  // namespace ricochet
