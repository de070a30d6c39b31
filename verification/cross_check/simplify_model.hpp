#pragma once

#include "verification/cross_check/model.hpp"

#include <vector>

namespace ricochet::cross {

/// Models that are simpler than a model by one step: fewer contacts, bodies and loads, no friction, no
/// restitution, no initial velocity, a shorter run, rounder numbers. The boldest come first.
std::vector<ContactModel> simplified(const ContactModel& model);

}  // namespace ricochet::cross
