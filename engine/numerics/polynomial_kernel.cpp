#include "engine/numerics/polynomial_kernel.hpp"

#include "engine/numerics/kernel_dispatch.hpp"

namespace ricochet::kernels {
namespace {

/// Evaluates the polynomial by separate Horner schemes for even and odd powers, which halves the latency.
template <class P>
RICOCHET_INLINE void polynomialOnGridKernel(const double* coefficients, Index count, double end,
                                            double* values) noexcept {
  static_assert(kGrid == 2 * kLanes);
  alignas(64) static constexpr double kFractions[kGrid] = {
      1.0 / 16, 2.0 / 16,  3.0 / 16,  4.0 / 16,  5.0 / 16,  6.0 / 16,  7.0 / 16,  8.0 / 16,
      9.0 / 16, 10.0 / 16, 11.0 / 16, 12.0 / 16, 13.0 / 16, 14.0 / 16, 15.0 / 16, 16.0 / 16};
  P one, t[2], square[2], even[2], odd[2];
  load(one, kOnes);
#pragma GCC unroll 2
  for (int n = 0; n < 2; ++n) {
    load(t[n], kFractions + n * kLanes);
    scaleBy(t[n], end);
    square[n] = t[n];
    multiply(square[n], t[n]);
    clear(even[n]);
    clear(odd[n]);
  }
  Index k = count;
  if (k % 2 != 0) {
    --k;
    even[0] = one;
    scaleBy(even[0], coefficients[k]);
    even[1] = even[0];
  }
  for (; k > 0; k -= 2) {
#pragma GCC unroll 2
    for (int n = 0; n < 2; ++n) {
      P next = one;
      scaleBy(next, coefficients[k - 1]);
      addProduct(next, square[n], odd[n]);
      odd[n] = next;
      next = one;
      scaleBy(next, coefficients[k - 2]);
      addProduct(next, square[n], even[n]);
      even[n] = next;
    }
  }
#pragma GCC unroll 2
  for (int n = 0; n < 2; ++n) {
    addProduct(even[n], t[n], odd[n]);
    store(values + n * kLanes, even[n]);
  }
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, polynomialOnGrid,
                (const double* coefficients, Index count, double end, double* values),
                (coefficients, count, end, values))

}  // namespace ricochet::kernels
