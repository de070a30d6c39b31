// Evaluation of held contacts (closed and sticking, see held_contacts.hpp) for processors with AVX-512; the
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

#define RICOCHET_LANES avx512
#define RICOCHET_LANES_REGISTERS kernels::Full
#define RICOCHET_LANES_BITS 512
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#include "engine/contact/held_kernel.hpp"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace ricochet {

StickBatchKernel stickBatchKernelAvx512() noexcept { return batch::avx512::evaluateTrialOfStickBatch; }

}  // namespace ricochet

#endif
