#pragma once

#include "verification/cross_check/engine_run.hpp"
#include "verification/cross_check/examine.hpp"
#include "verification/cross_check/reference.hpp"
#include "verification/cross_check/rigid_system.hpp"

#include <vector>

namespace ricochet::cross {

/// moreau at finer and finer steps, and penalty contacts that become stiffer: both must come near the motion
/// of the oracle, moreau near that of event (`run`) where the oracle is silent. Penalty contacts bounce: they
/// judge motions without impacts only.
void judgeWeakly(const ContactModel& model, const RigidSystem& system, const Reference& reference,
                 const EngineRun& run, const std::vector<double>& instants, Examination& found);

}  // namespace ricochet::cross
