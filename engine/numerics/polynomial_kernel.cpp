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

/// Sums the rising and the falling terms separately, so that terms of one sign have no sum of the other sign,
/// not even by rounding.
template <class P>
RICOCHET_INLINE void sumPolynomialTermsKernel(double* terms, Index padded, double end,
                                              double* sums) noexcept {
  alignas(64) static constexpr double kOrders[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
  alignas(64) double powers[kLanes];
  const double square = end * end, fourth = square * square;
  powers[0] = 1.0;
  powers[1] = end;
  powers[2] = square;
  powers[3] = square * end;
  for (int i = 0; i < 4; ++i) powers[4 + i] = fourth * powers[i];
  P power, order, one, rising, falling, convex, concave;
  load(power, powers);
  load(order, kOrders);
  load(one, kOnes);
  clear(rising);
  clear(falling);
  clear(convex);
  clear(concave);
  for (Index k = 0; k < padded; k += kLanes) {
    P coefficient, term, weight = order, below;
    load(coefficient, terms + k);
    term = coefficient;
    multiply(term, power);
    clearWhereZero(term, coefficient);  // the power of a long interval may be infinite
    store(terms + k, term);
    subtract(weight, one);
    multiply(weight, order);
    below = term;
    replaceByNegativePart(below);
    subtract(term, below);
    add(rising, term);
    add(falling, below);
    addProduct(convex, weight, term);
    addProduct(concave, weight, below);
    scaleBy(power, fourth * fourth);
    addProduct(order, static_cast<double>(kLanes), one);
  }
  sumsOfLanes(rising, falling, convex, concave, sums);
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, sumPolynomialTerms,
                (double* terms, Index padded, double end, double* sums), (terms, padded, end, sums))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, polynomialOnGrid,
                (const double* coefficients, Index count, double end, double* values),
                (coefficients, count, end, values))

}  // namespace ricochet::kernels
