#pragma once

#include "engine/lanes/lane_group.hpp"

namespace ricochet::batch {

// lane_step.hpp is compiled once per instruction set of processors. Each compilation has its own file and
// namespace, and only lane_step.hpp is compiled with the wider instructions. All other headers are included
// first: an inline function that several files share must run on every processor.
const LaneKernels& laneKernelsForBaseline();
const LaneKernels& laneKernelsForAvx2();
const LaneKernels& laneKernelsForAvx512();

}  // namespace ricochet::batch
