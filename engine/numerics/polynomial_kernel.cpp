#include "engine/numerics/polynomial_kernel.hpp"

#include "engine/numerics/kernel_dispatch.hpp"
#include "engine/numerics/register_bits.hpp"

namespace ricochet::kernels {
namespace {

/// Evaluates the polynomial by separate Horner schemes for even and odd powers, which halves the latency.
template <class P>
RICOCHET_INLINE void polynomialOnGridKernel(const double* coefficients, Index count, double end,
                                            double* values, double* extremes) noexcept {
  static_assert(kGrid == 2 * kLanes);
  alignas(64) static constexpr double kFractions[kGrid] = {
      1.0 / 16, 2.0 / 16,  3.0 / 16,  4.0 / 16,  5.0 / 16,  6.0 / 16,  7.0 / 16,  8.0 / 16,
      9.0 / 16, 10.0 / 16, 11.0 / 16, 12.0 / 16, 13.0 / 16, 14.0 / 16, 15.0 / 16, 16.0 / 16};
  P t[2], square[2], even[2], odd[2];
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
    addToAll(even[0], coefficients[--k]);
    even[1] = even[0];
  }
  for (; k > 0; k -= 2) {
#pragma GCC unroll 2
    for (int n = 0; n < 2; ++n) {
      multiply(odd[n], square[n]);
      addToAll(odd[n], coefficients[k - 1]);
      multiply(even[n], square[n]);
      addToAll(even[n], coefficients[k - 2]);
    }
  }
#pragma GCC unroll 2
  for (int n = 0; n < 2; ++n) {
    addProduct(even[n], t[n], odd[n]);
    store(values + n * kLanes, even[n]);
  }
  sortLanes(even[0], even[1]);
  extremesOfLanes(even[0], even[1], extremes);
}

/// Factors k (k - 1) of the terms of p''.
struct BendFactors {
  alignas(64) double of[kMostPolynomialTerms]{};
  constexpr BendFactors() {
    for (int k = 0; k < kMostPolynomialTerms; ++k) of[k] = k * (k - 1.0);
  }
};

/// Multiplies the lanes at which `has` is 1 by a, which may be infinite; at the other lanes `has` is 0.
template <class P>
RICOCHET_INLINE void multiplyWhere(const double* has, double a, P& powers) noexcept {
  P one, mark, factor;
  load(one, kOnes);
  load(mark, has);
  factor = one;
  scaleBy(factor, a);
  clearWhereZero(factor, mark);
  subtract(one, mark);
  add(factor, one);
  multiply(powers, factor);
}

/// Powers 1 to end^7 of the first eight terms; returns end^8. They stay in registers: what is stored as
/// single numbers is slow to load as a register.
template <class P>
RICOCHET_INLINE double firstPowers(double end, P& powers) noexcept {
  alignas(64) static constexpr double kFirst[kLanes] = {0, 1, 0, 1, 0, 1, 0, 1};
  alignas(64) static constexpr double kSecond[kLanes] = {0, 0, 1, 1, 0, 0, 1, 1};
  alignas(64) static constexpr double kFourth[kLanes] = {0, 0, 0, 0, 1, 1, 1, 1};
  const double square = end * end, fourth = square * square;
  load(powers, kOnes);
  multiplyWhere(kFirst, end, powers);
  multiplyWhere(kSecond, square, powers);
  multiplyWhere(kFourth, fourth, powers);
  return fourth * fourth;
}

template <class P>
RICOCHET_INLINE void scalePolynomialKernel(double* terms, Index padded, double end, double* sums) noexcept {
  static constexpr BendFactors kFactors;
  P power, total, size, bend, bendSize;
  const double eighth = firstPowers(end, power);
  clear(total);
  clear(size);
  clear(bend);
  clear(bendSize);
  for (Index k = 0; k < padded; k += kLanes) {
    P coefficient, term, factor;
    load(coefficient, terms + k);
    load(factor, kFactors.of + k);
    term = coefficient;
    multiply(term, power);
    clearWhereZero(term, coefficient);  // the power of a long interval may be infinite
    store(terms + k, term);
    add(total, term);
    addProduct(bend, factor, term);
    absoluteValue(term);
    add(size, term);
    addProduct(bendSize, factor, term);
    scaleBy(power, eighth);
  }
  sumsOfLanes(total, size, bend, bendSize, sums);
}

/// Sums the rising and the falling terms separately, so that terms of one sign have no sum of the other sign,
/// not even by rounding.
template <class P>
RICOCHET_INLINE void sumPolynomialTermsKernel(double* terms, Index padded, double end,
                                              double* sums) noexcept {
  alignas(64) static constexpr double kOrders[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
  P power, order, one, rising, falling, convex, concave;
  const double eighth = firstPowers(end, power);
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
    scaleBy(power, eighth);
    addProduct(order, static_cast<double>(kLanes), one);
  }
  sumsOfLanes(rising, falling, convex, concave, sums);
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, sumPolynomialTerms,
                (double* terms, Index padded, double end, double* sums), (terms, padded, end, sums))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, scalePolynomial,
                (double* terms, Index padded, double end, double* sums), (terms, padded, end, sums))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, polynomialOnGrid,
                (const double* coefficients, Index count, double end, double* values, double* extremes),
                (coefficients, count, end, values, extremes))

}  // namespace ricochet::kernels
