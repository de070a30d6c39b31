// The kernels of the lanes for every x86-64 processor (SSE2): see lane_kernels.hpp.

#include "engine/lanes/lane_kernels.hpp"
#include "engine/lanes/lane_step.hpp"
#include "engine/numerics/processor.hpp"

namespace ricochet::batch {

const LaneKernels& baselineKernels() {
  static const LaneKernels kernels = baseline::kernelsOfProcessor("baseline");
  return kernels;
}

std::vector<const LaneKernels*> laneKernels() {
  std::vector<const LaneKernels*> usable;
#if defined(__x86_64__)
  if (processorVectorUnit() == VectorUnit::avx512) usable.push_back(&avx512Kernels());
  if (processorVectorUnit() != VectorUnit::sse2) usable.push_back(&avx2Kernels());
#endif
  usable.push_back(&baselineKernels());
  return usable;
}

}  // namespace ricochet::batch
