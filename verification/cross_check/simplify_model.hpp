#pragma once

#include "verification/cross_check/model.hpp"

#include <vector>

namespace ricochet::cross {

/// Models with one simplification: fewer contacts, bodies and loads, no friction, no restitution, no initial
/// velocity, a shorter run, rounder numbers, in the order of decreasing simplification.
std::vector<ContactModel> simplifiedModels(const ContactModel& model);

}  // namespace ricochet::cross
