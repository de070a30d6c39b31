// The kernels of the lanes for every x86-64 processor (SSE2): see lane_kernels.hpp.

#include "engine/lanes/lane_kernels.hpp"
#include "engine/lanes/lane_step.hpp"
#include "engine/numerics/processor.hpp"

namespace ricochet::batch {

const LaneKernels& laneKernelsForBaseline() {
  static const LaneKernels kernels = baseline::kernelsOfProcessor("baseline");
  return kernels;
}

std::vector<const LaneKernels*> laneKernels() {
  std::vector<const LaneKernels*> usable;
#if defined(__x86_64__)
  if (widestUsableVectorUnit() == VectorUnit::avx512) usable.push_back(&laneKernelsForAvx512());
  if (widestUsableVectorUnit() != VectorUnit::sse2) usable.push_back(&laneKernelsForAvx2());
#endif
  usable.push_back(&laneKernelsForBaseline());
  return usable;
}

}  // namespace ricochet::batch
