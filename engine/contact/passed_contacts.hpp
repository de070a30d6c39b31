#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/numerics/state.hpp"

namespace ricochet {

/// Motion of a step of h [s], for the cubic through displacements and velocities of its ends.
struct StepEnds {
  const Vector& q0;
  const Vector& v0;
  const Vector& q1;
  const Vector& v1;
  double h;
};

/// True if a contact that is open at both ends of a step closes in between: a scheme that chooses long steps
/// in free motion would pass through an obstacle without a trace. The last trial of `contacts` is the end of
/// the step. The gap changes by no more than the way of the contact point, so that a gap tells how far off
/// the next look may be.
bool passesThroughContact(const ContactRun& contacts, const StepEnds& step) noexcept;

}  // namespace ricochet
