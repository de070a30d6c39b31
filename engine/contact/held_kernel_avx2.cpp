// Evaluation of held contacts (closed and sticking, see held_contacts.hpp) for processors with AVX2; the
// compilation scheme is described in engine/lanes/lane_kernels.hpp.

#include "engine/contact/held_contacts.hpp"

#if defined(__x86_64__)

#include "engine/contact/laws/linear_penalty.hpp"
#include "engine/contact/laws/regularised_coulomb.hpp"
#include "engine/contact/obstacles/plane.hpp"
#include "engine/contact/obstacles/slot.hpp"
#include "engine/numerics/lanes.hpp"

#include <immintrin.h>

#include <cmath>
#include <cstring>

#define RICOCHET_LANES avx2
#define RICOCHET_LANES_REGISTERS kernels::Halves
#define RICOCHET_LANES_BITS 256
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#include "engine/contact/held_kernel.hpp"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace ricochet {

StickBatchKernel stickBatchKernelAvx2() noexcept { return batch::avx2::evaluateTrialOfStickBatch; }

}  // namespace ricochet

#endif
