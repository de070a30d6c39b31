#pragma once

#include "engine/lanes/lane_group.hpp"

namespace ricochet::batch {

// Made from the same text (lane_step.hpp) for several generations of processors. Each has a file and a
// namespace of its own, in which that text alone is compiled for it: a function that other files share must
// stay what every processor can run, so all other headers come first.
const LaneKernels& baselineKernels();
const LaneKernels& avx2Kernels();
const LaneKernels& avx512Kernels();

}  // namespace ricochet::batch
