#pragma once

#include "engine/links/link_set.hpp"

namespace ricochet {

/// Velocity error by forces of links inside a step that no stage has evaluated, in energy norm [J^1/2], for
/// schemes with long steps: a stop behind a gap that the motion reaches and leaves within the step, or a hump
/// of a table between both ends. Only links whose force is the same linear function of the motion at both
/// ends of the trial are examined: for other links, the stages of a scheme disagree.
///
/// The force is evaluated at the turning point of the motion, on the cubic through displacements and rates of
/// the ends; for a table, also the exact mean over the displacement. The error is the step times the largest
/// deviation of the force from the linear function, so that it vanishes with the step.
double errorOfForceBetweenStepEnds(const LinkRun& links) noexcept;

}  // namespace ricochet
