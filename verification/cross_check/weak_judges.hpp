#pragma once

#include "verification/cross_check/engine_run.hpp"
#include "verification/cross_check/examine.hpp"
#include "verification/cross_check/reference.hpp"
#include "verification/cross_check/rigid_system.hpp"

#include <vector>

namespace ricochet::cross {

/// Runs moreau with decreasing steps, and penalty contacts with increasing stiffness: both must converge to
/// the motion of the oracle, and moreau to that of event (`run`) if the oracle has no motion. Penalty
/// contacts rebound, so they serve for motions without impacts only.
void judgeByApproximateSchemes(const ContactModel& model, const RigidSystem& system,
                               const Reference& reference, const EngineRun& run,
                               const std::vector<double>& instants, Examination& found);

}  // namespace ricochet::cross
