#pragma once

#include "engine/numerics/lanes.hpp"
#include "engine/numerics/processor.hpp"
#include "engine/numerics/state.hpp"

// A kernel is written once, over a type that holds eight doubles, and compiled for several generations of
// x86-64 vector units; at program start a pointer is set to the version for this processor. Macros are needed
// because C++ cannot compile a template for a given processor.
#define RICOCHET_INLINE [[gnu::always_inline]] inline
#define RICOCHET_ANY_SIZE(call) return call
// Up to 32 modes, the size is a compile-time constant and the loops over modes are unrolled.
#define RICOCHET_KNOWN_SIZES(call) \
  switch (size) {                  \
    case 8:                        \
      return call;                 \
    case 16:                       \
      return call;                 \
    case 24:                       \
      return call;                 \
    case 32:                       \
      return call;                 \
    default:                       \
      return call;                 \
  }
#if defined(__x86_64__)
#define RICOCHET_KERNEL(sizes, result, name, parameters, arguments)                \
  namespace {                                                                      \
  __attribute__((target("avx512f"))) result name##Avx512 parameters noexcept {     \
    sizes(name##Kernel<Full> arguments);                                           \
  }                                                                                \
  __attribute__((target("avx2"))) result name##Avx2 parameters noexcept {          \
    sizes(name##Kernel<Halves> arguments);                                         \
  }                                                                                \
  result name##Sse2 parameters noexcept { return name##Kernel<Halves> arguments; } \
  const auto name##Best = selectKernel(name##Avx512, name##Avx2, name##Sse2);      \
  }                                                                                \
  result name parameters noexcept { return name##Best arguments; }
#else
#define RICOCHET_KERNEL(sizes, result, name, parameters, arguments) \
  result name parameters noexcept { return name##Kernel<Halves> arguments; }
#endif

namespace ricochet::kernels {

using Index = Eigen::Index;

alignas(64) inline constexpr double kOnes[kLanes] = {1, 1, 1, 1, 1, 1, 1, 1};

/// Multiplies kRows rows by x at once, products[r] = rows_r . x; each load of x serves all rows.
template <class P, int kRows>
RICOCHET_INLINE void multiplyScatteredRowsByVector(const double* const (&rows)[kRows], const double* x,
                                                   Index size, double* products) noexcept {
  P totals[kRows];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) clear(totals[r]);
  for (Index i = 0; i < size; i += kLanes) {
    P y;
    load(y, x + i);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      P a;
      load(a, rows[r] + i);
      addProduct(totals[r], a, y);
    }
  }
  if constexpr (kRows == 4) {
    sumLanesOfFourRegisters(totals[0], totals[1], totals[2], totals[3], products);
  } else {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) products[r] = sum(totals[r]);
  }
}

/// Multiplies kRows rows that are contiguous in memory by x, products[r] = rows_r . x.
template <class P, int kRows>
RICOCHET_INLINE void multiplyContiguousRowsByVector(const double* rows, const double* x, Index size,
                                                    double* products) noexcept {
  const double* at[kRows];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) at[r] = rows + r * size;
  multiplyScatteredRowsByVector<P, kRows>(at, x, size, products);
}

#if defined(__x86_64__)
/// Selects the version of a kernel for this processor.
template <class Function>
Function* selectKernel(Function* avx512, Function* avx2, Function* sse2) noexcept {
  switch (widestUsableVectorUnit()) {
    case VectorUnit::avx512:
      return avx512;
    case VectorUnit::avx2:
      return avx2;
    case VectorUnit::sse2:
      break;
  }
  return sse2;
}
#endif

}  // namespace ricochet::kernels
