#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/numerics/state.hpp"

namespace ricochet {

/// Motion in a step of h [s]: displacements and velocities at both ends, which define a cubic.
struct StepEnds {
  const Vector& q0;
  const Vector& v0;
  const Vector& q1;
  const Vector& v1;
  double h;
};

/// True if a contact that is open at both ends of a step closes in between: a scheme with long steps in free
/// motion could pass through an obstacle unnoticed. The last trial of `contacts` is the end of the step. The
/// gap changes at most by the path length of the contact point, which bounds the distance to the next
/// evaluation of the gap.
bool doesAnyContactCloseAndOpenWithinStep(const ContactRun& contacts, const StepEnds& step) noexcept;

}  // namespace ricochet
