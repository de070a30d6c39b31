#include "engine/numerics/polynomial_kernel.hpp"

#include "engine/numerics/kernel_dispatch.hpp"
#include "engine/numerics/register_bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ricochet::kernels {
namespace {

/// Loads eight numbers that need no alignment.
template <class P>
RICOCHET_INLINE void loadUnaligned(P& lanes, const double* from) noexcept {
  std::memcpy(&lanes, from, sizeof lanes);
}

/// Evaluates the polynomial by separate Horner schemes for even and odd powers, which halves the latency.
/// `blocks`: the values, which are stored too.
template <class P>
RICOCHET_INLINE void evaluateOnGrid(const double* coefficients, Index count, double end, double* values,
                                    P (&blocks)[2]) noexcept {
  static_assert(kGrid == 2 * kLanes);
  alignas(64) static constexpr double kFractions[kGrid] = {
      1.0 / 16, 2.0 / 16,  3.0 / 16,  4.0 / 16,  5.0 / 16,  6.0 / 16,  7.0 / 16,  8.0 / 16,
      9.0 / 16, 10.0 / 16, 11.0 / 16, 12.0 / 16, 13.0 / 16, 14.0 / 16, 15.0 / 16, 16.0 / 16};
  P t[2], square[2], odd[2];
#pragma GCC unroll 2
  for (int n = 0; n < 2; ++n) {
    load(t[n], kFractions + n * kLanes);
    scaleBy(t[n], end);
    square[n] = t[n];
    multiply(square[n], t[n]);
    clear(blocks[n]);
    clear(odd[n]);
  }
  Index k = count;
  if (k % 2 != 0) {
    addToAllLanes(blocks[0], coefficients[--k]);
    blocks[1] = blocks[0];
  }
  for (; k > 0; k -= 2) {
#pragma GCC unroll 2
    for (int n = 0; n < 2; ++n) {
      multiply(odd[n], square[n]);
      addToAllLanes(odd[n], coefficients[k - 1]);
      multiply(blocks[n], square[n]);
      addToAllLanes(blocks[n], coefficients[k - 2]);
    }
  }
#pragma GCC unroll 2
  for (int n = 0; n < 2; ++n) {
    addProduct(blocks[n], t[n], odd[n]);
    store(values + n * kLanes, blocks[n]);
  }
}

template <class P>
RICOCHET_INLINE void evaluatePolynomialOnGridKernel(const double* coefficients, Index count, double end,
                                                    double* values) noexcept {
  P blocks[2];
  evaluateOnGrid(coefficients, count, end, values, blocks);
}

/// Sizes of the second differences about eight values.
template <class P>
RICOCHET_INLINE void secondDifferences(P& sizes, const double* values) noexcept {
  P after, middle;
  loadUnaligned(sizes, values - 1);
  loadUnaligned(middle, values);
  loadUnaligned(after, values + 1);
  subtract(sizes, middle);
  subtract(after, middle);
  add(sizes, after);
  replaceLanesByAbsoluteValues(sizes);
}

template <class P>
RICOCHET_INLINE void polynomialRangeOnGridKernel(const double* coefficients, Index count, double* values,
                                                 double* range) noexcept {
  P blocks[2], bends[2];
  evaluateOnGrid(coefficients, count, 1.0, values, blocks);
  sortPairsOfLanes(blocks[0], blocks[1]);
  smallestAndLargestLane(blocks[0], blocks[1], range);
  secondDifferences(bends[0], values);
  secondDifferences(bends[1], values + kLanes - 1);
  sortPairsOfLanes(bends[0], bends[1]);
  double extremes[2];
  smallestAndLargestLane(bends[0], bends[1], extremes);
  range[2] = extremes[1];
}

/// Factors of the terms of order k.
struct TermFactors {
  alignas(64) double bend[kMostPolynomialTerms]{};    // k (k - 1), of the terms of p''
  alignas(64) double fourth[kMostPolynomialTerms]{};  // of the terms of the fourth derivative
  alignas(64) double arch[kMostPolynomialTerms]{};    // (k - 1) k^(-k / (k - 1)), rounded up
  TermFactors() {
    for (int k = 0; k < kMostPolynomialTerms; ++k) {
      bend[k] = k * (k - 1.0);
      fourth[k] = bend[k] * (k - 2.0) * (k - 3.0);
      if (k > 1) arch[k] = std::min((k - 1) * std::pow(k, -k / (k - 1.0)) * (1.0 + 1e-15), 1.0);
    }
  }
};
const TermFactors kFactors;

/// Multiplies the lanes at which `has` is 1 by a, which may be infinite; at the other lanes `has` is 0.
template <class P>
RICOCHET_INLINE void multiplyMarkedLanes(const double* has, double a, P& powers) noexcept {
  P one, mark, factor;
  load(one, kOnes);
  load(mark, has);
  factor = one;
  scaleBy(factor, a);
  clearLanesWhereZero(factor, mark);
  subtract(one, mark);
  add(factor, one);
  multiply(powers, factor);
}

/// Powers 1 to end^7 of the first eight terms; returns end^8. They stay in registers: what is stored as
/// single numbers is slow to load as a register.
template <class P>
RICOCHET_INLINE double loadFirstPowersOfTime(double end, P& powers) noexcept {
  alignas(64) static constexpr double kFirst[kLanes] = {0, 1, 0, 1, 0, 1, 0, 1};
  alignas(64) static constexpr double kSecond[kLanes] = {0, 0, 1, 1, 0, 0, 1, 1};
  alignas(64) static constexpr double kFourth[kLanes] = {0, 0, 0, 0, 1, 1, 1, 1};
  const double square = end * end, fourth = square * square;
  load(powers, kOnes);
  multiplyMarkedLanes(kFirst, end, powers);
  multiplyMarkedLanes(kSecond, square, powers);
  multiplyMarkedLanes(kFourth, fourth, powers);
  return fourth * fourth;
}

template <class P>
RICOCHET_INLINE void scalePolynomialKernel(const double* coefficients, Index count, double end, double* terms,
                                           double* sums) noexcept {
  alignas(64) static constexpr double kLater[kLanes] = {0, 1, 1, 1, 1, 1, 1, 1};
  const Index whole = count / kLanes * kLanes;
  if (whole < count) {
    std::memset(terms + whole, 0, kLanes * sizeof(double));
    std::memcpy(terms + whole, coefficients + whole,
                static_cast<std::size_t>(count - whole) * sizeof(double));
  }
  P power, total, size, arch, archSize, isLater;
  const double eighth = loadFirstPowersOfTime(end, power);
  load(isLater, kLater);
  clear(total);
  clear(size);
  clear(arch);
  clear(archSize);
  for (Index k = 0; k < count; k += kLanes) {
    P coefficient, term, factor;
    loadUnaligned(coefficient, (k < whole ? coefficients : terms) + k);
    load(factor, kFactors.arch + k);
    clearLanesWhereZero(coefficient, isLater);
    load(isLater, kOnes);
    term = coefficient;
    multiply(term, power);
    clearLanesWhereZero(term, coefficient);  // the power of a long interval may be infinite
    store(terms + k, term);
    add(total, term);
    addProduct(arch, factor, term);
    replaceLanesByAbsoluteValues(term);
    add(size, term);
    addProduct(archSize, factor, term);
    scaleBy(power, eighth);
  }
  sumLanesOfFourRegisters(total, size, arch, archSize, sums);
}

template <class P>
RICOCHET_INLINE void sumDerivativeTermsKernel(const double* terms, Index padded, double* sums) noexcept {
  P bend, bendSize, fourthSize, none;
  clear(bend);
  clear(bendSize);
  clear(fourthSize);
  clear(none);
  for (Index k = 0; k < padded; k += kLanes) {
    P term, factor;
    load(term, terms + k);
    load(factor, kFactors.bend + k);
    addProduct(bend, factor, term);
    replaceLanesByAbsoluteValues(term);
    addProduct(bendSize, factor, term);
    load(factor, kFactors.fourth + k);
    addProduct(fourthSize, factor, term);
  }
  sumLanesOfFourRegisters(bend, bendSize, fourthSize, none, sums);
}

/// Sums the rising and the falling terms separately, so that terms of one sign have no sum of the other sign,
/// not even by rounding.
template <class P>
RICOCHET_INLINE void sumPolynomialTermsKernel(double* terms, Index padded, double end,
                                              double* sums) noexcept {
  alignas(64) static constexpr double kOrders[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
  P power, order, one, rising, falling, convex, concave;
  const double eighth = loadFirstPowersOfTime(end, power);
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
    clearLanesWhereZero(term, coefficient);  // the power of a long interval may be infinite
    store(terms + k, term);
    subtract(weight, one);
    multiply(weight, order);
    below = term;
    replaceLanesByNegativeParts(below);
    subtract(term, below);
    add(rising, term);
    add(falling, below);
    addProduct(convex, weight, term);
    addProduct(concave, weight, below);
    scaleBy(power, eighth);
    addProduct(order, static_cast<double>(kLanes), one);
  }
  sumLanesOfFourRegisters(rising, falling, convex, concave, sums);
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, sumPolynomialTerms,
                (double* terms, Index padded, double end, double* sums), (terms, padded, end, sums))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, scalePolynomial,
                (const double* coefficients, Index count, double end, double* terms, double* sums),
                (coefficients, count, end, terms, sums))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, sumDerivativeTerms,
                (const double* terms, Index padded, double* sums), (terms, padded, sums))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, evaluatePolynomialOnGrid,
                (const double* coefficients, Index count, double end, double* values),
                (coefficients, count, end, values))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, polynomialRangeOnGrid,
                (const double* coefficients, Index count, double* values, double* range),
                (coefficients, count, values, range))

}  // namespace ricochet::kernels
