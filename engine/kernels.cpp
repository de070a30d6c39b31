#include "engine/kernels.hpp"

#include "engine/lanes.hpp"

namespace ricochet::kernels {
namespace {

template <class P>
RICOCHET_INLINE double dotOf(const double* a, const double* b, Index size) noexcept {
  double product;
  blockOfDots<P, 1>(a, b, size, &product);
  return product;
}

template <class P>
RICOCHET_INLINE double weightedSquareOf(const double* c, const double* v, Index size) noexcept {
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
RICOCHET_INLINE void dotsOf(const double* rows, Index count, const double* x, Index size,
                            double* products) noexcept {
  Index r = 0;
  for (; r + 4 <= count; r += 4) blockOfDots<P, 4>(rows + r * size, x, size, products + r);
  for (; r < count; ++r) blockOfDots<P, 1>(rows + r * size, x, size, products + r);
}

template <class P>
RICOCHET_INLINE void combineOf(const double* rows, Index count, const double* factors, double* y,
                               Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P total;
    clear(total);
    for (Index r = 0; r < count; ++r) {
      P a;
      load(a, rows + r * size + i);
      addProduct(total, factors[r], a);
    }
    store(y + i, total);
  }
}

template <class P>
RICOCHET_INLINE double trapezoidWorkOf(const double* f0, const double* f1, double* q0, const double* q1,
                                       Index size) noexcept {
  P total;
  clear(total);
  for (Index i = 0; i < size; i += kLanes) {
    P force, after, from, to;
    load(force, f0 + i);
    load(after, f1 + i);
    load(from, q0 + i);
    load(to, q1 + i);
    add(force, after);
    store(q0 + i, to);
    subtract(to, from);
    addProduct(total, force, to);
  }
  return 0.5 * sum(total);
}

template <class P>
RICOCHET_INLINE void addScaledOf(double factor, const double* x, double* y, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P a, b;
    load(a, x + i);
    load(b, y + i);
    addProduct(b, factor, a);
    store(y + i, b);
  }
}

template <class P>
RICOCHET_INLINE void addRowsOf(const double* base, const double* const* rows, const double* factors,
                               Index count, double* y, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P total;
    load(total, base + i);
    for (Index r = 0; r < count; ++r) {
      P a;
      load(a, rows[r] + i);
      addProduct(total, factors[r], a);
    }
    store(y + i, total);
  }
}

template <class P>
RICOCHET_INLINE void kickAndDriftOf(const DriftTables& tables, double kick, const double* f, double* q,
                                    double* v, Index size) noexcept {
  const DriftTables t = tables;
  for (Index i = 0; i < size; i += kLanes) {
    P x, w, force, a, b;
    load(x, q + i);
    load(w, v + i);
    load(force, f + i);
    addProduct(w, kick, force);
    load(a, t.qq + i);
    load(b, t.qv + i);
    multiply(a, x);
    addProduct(a, b, w);
    store(q + i, a);
    load(a, t.vq + i);
    load(b, t.vv + i);
    multiply(a, x);
    addProduct(a, b, w);
    store(v + i, a);
  }
}

}  // namespace

RICOCHET_KERNEL(double, dot, (const double* a, const double* b, Index size), (a, b, size))

RICOCHET_KERNEL(double, weightedSquare, (const double* c, const double* v, Index size), (c, v, size))

RICOCHET_KERNEL(void, dots, (const double* rows, Index count, const double* x, Index size, double* products),
                (rows, count, x, size, products))

RICOCHET_KERNEL(void, combine,
                (const double* rows, Index count, const double* factors, double* y, Index size),
                (rows, count, factors, y, size))

RICOCHET_KERNEL(double, trapezoidWork,
                (const double* f0, const double* f1, double* q0, const double* q1, Index size),
                (f0, f1, q0, q1, size))

RICOCHET_KERNEL(void, addScaled, (double factor, const double* x, double* y, Index size),
                (factor, x, y, size))

RICOCHET_KERNEL(void, addRows,
                (const double* base, const double* const* rows, const double* factors, Index count, double* y,
                 Index size),
                (base, rows, factors, count, y, size))

RICOCHET_KERNEL(void, kickAndDrift,
                (const DriftTables& tables, double kick, const double* f, double* q, double* v, Index size),
                (tables, kick, f, q, v, size))

}  // namespace ricochet::kernels
