// The kernels of the lanes for processors with AVX2: see lane_kernels.hpp.

#include "engine/lanes/lane_kernels.hpp"

#if defined(__x86_64__)

#include "engine/contact/try_contact.hpp"
#include "engine/lanes/lane_laws.hpp"
#include "engine/numerics/lanes.hpp"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#define RICOCHET_LANES avx2
#define RICOCHET_LANES_REGISTERS kernels::Halves
#define RICOCHET_LANES_BITS 256
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#include "engine/lanes/lane_step.hpp"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace ricochet::batch {

const LaneKernels& laneKernelsForAvx2() {
  static const LaneKernels kernels = avx2::kernelsOfProcessor("avx2");
  return kernels;
}

}  // namespace ricochet::batch

#endif
