#include "engine/numerics/kernels.hpp"

#include "engine/numerics/kernel_look.hpp"

namespace ricochet::kernels {
namespace {

template <class P>
RICOCHET_INLINE double dotKernel(const double* a, const double* b, Index size) noexcept {
  double product;
  multiplyContiguousRowsByVector<P, 1>(a, b, size, &product);
  return product;
}

template <class P>
RICOCHET_INLINE RowMotion motionAlongRowKernel(const double* row, const double* q, const double* v, double dv,
                                               const double* a, Index size) noexcept {
  P displacement, velocity;
  clear(displacement);
  clear(velocity);
  for (Index i = 0; i < size; i += kLanes) {
    P b, x, rate, change;
    load(b, row + i);
    load(x, q + i);
    load(rate, v + i);
    load(change, a + i);
    addProduct(rate, dv, change);
    addProduct(displacement, b, x);
    addProduct(velocity, b, rate);
  }
  return {sum(displacement), sum(velocity)};
}

template <class P>
RICOCHET_INLINE void velocitiesAlongRowsKernel(const double* first, const double* second, const double* v,
                                               double dv, const double* a, Index size,
                                               double* rates) noexcept {
  P along[2];
  clear(along[0]);
  clear(along[1]);
  for (Index i = 0; i < size; i += kLanes) {
    P b, rate, change;
    load(rate, v + i);
    load(change, a + i);
    addProduct(rate, dv, change);
    load(b, first + i);
    addProduct(along[0], b, rate);
    load(b, second + i);
    addProduct(along[1], b, rate);
  }
  rates[0] = sum(along[0]);
  rates[1] = sum(along[1]);
}

template <class P>
RICOCHET_INLINE double weightedSumOfSquaresKernel(const double* c, const double* v, Index size) noexcept {
  P total;
  clear(total);
  for (Index i = 0; i < size; i += kLanes) {
    P x, y;
    load(x, c + i);
    load(y, v + i);
    multiply(x, y);
    addProduct(total, x, y);
  }
  return sum(total);
}

template <class P>
RICOCHET_INLINE void dotProductsOfRowsKernel(const double* rows, Index count, const double* x, Index size,
                                             double* products) noexcept {
  for (; count >= 4; count -= 4, rows += 4 * size, products += 4)
    multiplyContiguousRowsByVector<P, 4>(rows, x, size, products);
  for (; count > 0; --count, rows += size, ++products)
    multiplyContiguousRowsByVector<P, 1>(rows, x, size, products);
}

template <class P>
RICOCHET_INLINE double computeRowProductsAndDistanceKernel(const Look& look, const double* q,
                                                           Index size) noexcept {
  P total;
  clear(total);
  if (look.weights != nullptr)
    for (Index i = 0; i < size; i += kLanes) {
      P x;
      load(x, q + i);
      addWeightedSquaredDistance(look, x, i, total);
    }
  dotProductsOfListedRows<P>(look, q, size);
  return sum(total);
}

/// Adds weighted rows: total += sum of factors[r] rows_r over `count` rows that are `stride` apart.
template <class P>
RICOCHET_INLINE void addWeightedRowsInOrder(P& total, const double* rows, Index count, const double* factors,
                                            Index stride) noexcept {
  for (; count >= 4; count -= 4, rows += 4 * stride, factors += 4) {
#pragma GCC unroll 4
    for (Index r = 0; r < 4; ++r) {
      P a;
      load(a, rows + r * stride);
      addProduct(total, factors[r], a);
    }
  }
  for (; count > 0; --count, rows += stride, ++factors) {
    P a;
    load(a, rows);
    addProduct(total, *factors, a);
  }
}

template <class P>
RICOCHET_INLINE void addWeightedRowsKernel(const double* rows, Index count, const double* factors, double* y,
                                           Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P total;
    clear(total);
    addWeightedRowsInOrder(total, rows + i, count, factors, size);
    store(y + i, total);
  }
}

template <class P>
RICOCHET_INLINE void addScaledKernel(double factor, const double* x, double* y, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P a, b;
    load(a, x + i);
    load(b, y + i);
    addProduct(b, factor, a);
    store(y + i, b);
  }
}

template <class P>
RICOCHET_INLINE void addWeightedRowsToBaseKernel(const double* base, const RowForces& along, double* y,
                                                 Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P total;
    load(total, base + i);
    for (Index r = 0; r < along.count; ++r) {
      P a;
      load(a, along.rows[r] + i);
      addProduct(total, along.forces[r], a);
    }
    store(y + i, total);
  }
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, dot, (const double* a, const double* b, Index size),
                (a, b, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, RowMotion, motionAlongRow,
                (const double* row, const double* q, const double* v, double dv, const double* a, Index size),
                (row, q, v, dv, a, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, velocitiesAlongRows,
                (const double* first, const double* second, const double* v, double dv, const double* a,
                 Index size, double* rates),
                (first, second, v, dv, a, size, rates))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, weightedSumOfSquares,
                (const double* c, const double* v, Index size), (c, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, dotProductsOfRows,
                (const double* rows, Index count, const double* x, Index size, double* products),
                (rows, count, x, size, products))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, computeRowProductsAndDistance,
                (const Look& look, const double* q, Index size), (look, q, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, addWeightedRows,
                (const double* rows, Index count, const double* factors, double* y, Index size),
                (rows, count, factors, y, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, addScaled,
                (double factor, const double* x, double* y, Index size), (factor, x, y, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, addWeightedRowsToBase,
                (const double* base, const RowForces& along, double* y, Index size), (base, along, y, size))

}  // namespace ricochet::kernels
