#include "engine/event/series/volterra_kernel.hpp"

#include "engine/numerics/register_bits.hpp"

namespace ricochet::kernels {
namespace {

/// Values of a force at the points, in kBlocks blocks of kLanes.
template <class P, int kBlocks>
struct Points {
  P at[kBlocks];
};

template <class P, int kBlocks>
RICOCHET_INLINE void loadPointsIntoVectorLanes(Points<P, kBlocks>& y, const double* from) noexcept {
#pragma GCC unroll 4
  for (int r = 0; r < kBlocks; ++r) load(y.at[r], from + r * kLanes);
}

/// Adds a matrix product, y += block x; even and odd columns separately, which halves the latency.
template <class P, int kBlocks>
RICOCHET_INLINE void addMatrixBlockVectorProduct(const double* block, const double* x, int columns,
                                                 Points<P, kBlocks>& y) noexcept {
  constexpr Index kStride = kBlocks * kLanes;
  Points<P, kBlocks> other;
#pragma GCC unroll 4
  for (int r = 0; r < kBlocks; ++r) clear(other.at[r]);
  int l = 0;
  for (; l + 1 < columns; l += 2) {
#pragma GCC unroll 4
    for (int r = 0; r < kBlocks; ++r) {
      P even, odd;
      load(even, block + l * kStride + r * kLanes);
      load(odd, block + (l + 1) * kStride + r * kLanes);
      addProduct(y.at[r], x[l], even);
      addProduct(other.at[r], x[l + 1], odd);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kBlocks; ++r) {
    if (l < columns) {
      P even;
      load(even, block + l * kStride + r * kLanes);
      addProduct(y.at[r], x[l], even);
    }
    add(y.at[r], other.at[r]);
  }
}

template <class P, int kBlocks>
RICOCHET_INLINE void addScaledMatrixVectorProduct(const double* block, double factor, const double* x,
                                                  double* y, int columns) noexcept {
  Points<P, kBlocks> sum, total;
#pragma GCC unroll 4
  for (int r = 0; r < kBlocks; ++r) clear(sum.at[r]);
  addMatrixBlockVectorProduct(block, x, columns, sum);
  loadPointsIntoVectorLanes(total, y);
#pragma GCC unroll 4
  for (int r = 0; r < kBlocks; ++r) {
    addProduct(total.at[r], factor, sum.at[r]);
    store(y + r * kLanes, total.at[r]);
  }
}

template <class P>
RICOCHET_INLINE void addMatrixVectorProductKernel(const double* block, double factor, const double* x,
                                                  double* y, int columns, Index stride) noexcept {
  switch (stride / kLanes) {
    case 1:
      return addScaledMatrixVectorProduct<P, 1>(block, factor, x, y, columns);
    case 2:
      return columns == 16 ? addScaledMatrixVectorProduct<P, 2>(block, factor, x, y, 16)
                           : addScaledMatrixVectorProduct<P, 2>(block, factor, x, y, columns);
    case 3:
      return addScaledMatrixVectorProduct<P, 3>(block, factor, x, y, columns);
    default:
      return addScaledMatrixVectorProduct<P, 4>(block, factor, x, y, columns);
  }
}

template <class P>
RICOCHET_INLINE void addWeightedVectorsKernel(const double* a, int count, const double* factors, double* y,
                                              Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P even, odd, x;
    clear(even);
    clear(odd);
    int k = 0;
    for (; k + 1 < count; k += 2, a += 2 * kLanes) {
      load(x, a);
      addProduct(even, factors[k], x);
      load(x, a + kLanes);
      addProduct(odd, factors[k + 1], x);
    }
    if (k < count) {
      load(x, a);
      addProduct(even, factors[k], x);
      a += kLanes;
    }
    add(even, odd);
    store(y + i, even);
  }
}

template <class P>
RICOCHET_INLINE void addFreeMotionOfModesKernel(const double* a, const double* b, int columns,
                                                const double* q, const double* v, double* y,
                                                Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P displacement, velocity;
    load(displacement, q + i);
    load(velocity, v + i);
    for (int l = 0; l < columns; ++l) {
      P x, part;
      load(x, a + l * size + i);
      multiply(x, displacement);
      load(part, b + l * size + i);
      multiply(part, velocity);
      add(x, part);
      store(y + l * size + i, x);
    }
  }
}

template <class P, int kBlocks>
RICOCHET_INLINE VolterraChange updateForcesInOneSweep(const VolterraSystem& given, int points) noexcept {
  constexpr Index kStride = kBlocks * kLanes;
  const VolterraSystem s = given;
  P change, size;
  clear(change);
  clear(size);
  for (int u = 0; u < s.count; ++u) {
    const VolterraUnknown unknown = s.unknowns[u];
    double* force = s.force + unknown.column * kStride;
    Points<P, kBlocks> next;
    loadPointsIntoVectorLanes(next, s.right + unknown.column * kStride);
#pragma GCC unroll 4
    for (int r = 0; r < kBlocks; ++r) {
      P square = next.at[r];
      multiply(square, next.at[r]);
      add(size, square);
      if (unknown.leader < 0) continue;
      P leader;
      load(leader, s.force + unknown.leader * kStride + r * kLanes);
      addProduct(next.at[r], unknown.factor, leader);
    }
    for (int t = unknown.firstTerm; t < unknown.firstTerm + unknown.terms; ++t) {
      const VolterraTerm term = s.terms[t];
      Points<P, kBlocks> sum;
#pragma GCC unroll 4
      for (int r = 0; r < kBlocks; ++r) clear(sum.at[r]);
      addMatrixBlockVectorProduct(term.block, s.force + term.source * kStride, points, sum);
#pragma GCC unroll 4
      for (int r = 0; r < kBlocks; ++r) addProduct(next.at[r], term.factor, sum.at[r]);
    }
    if (unknown.inverse != nullptr) {
      alignas(64) double product[kStride];
#pragma GCC unroll 4
      for (int r = 0; r < kBlocks; ++r) {
        store(product + r * kLanes, next.at[r]);
        clear(next.at[r]);
      }
      addMatrixBlockVectorProduct(unknown.inverse, product, points, next);
    }
#pragma GCC unroll 4
    for (int r = 0; r < kBlocks; ++r) {
      P square = next.at[r], difference;
      multiply(square, next.at[r]);
      add(size, square);
      load(difference, force + r * kLanes);
      subtract(difference, next.at[r]);
      square = difference;
      multiply(square, difference);
      add(change, square);
      store(force + r * kLanes, next.at[r]);
    }
  }
  return {sum(change), sum(size)};
}

template <class P>
RICOCHET_INLINE VolterraChange solveForcesByGaussSeidelSweepsKernel(const VolterraSystem& system) noexcept {
  switch (system.stride / kLanes) {
    case 1:
      return updateForcesInOneSweep<P, 1>(system, system.points);
    case 2:
      return system.points == 16 ? updateForcesInOneSweep<P, 2>(system, 16)
                                 : updateForcesInOneSweep<P, 2>(system, system.points);
    case 3:
      return updateForcesInOneSweep<P, 3>(system, system.points);
    default:
      return updateForcesInOneSweep<P, 4>(system, system.points);
  }
}

template <class P>
RICOCHET_INLINE void computeModalStateAtStepEndKernel(const VolterraEnd& given, const double* q0,
                                                      const double* v0, double* q, double* v) noexcept {
  const VolterraEnd s = given;
  for (Index i = s.plane.begin; i < s.plane.end(); i += kLanes) {
    P displacement, velocity, x, y, part;
    load(displacement, q0 + i);
    load(velocity, v0 + i);
    load(x, s.qq + i);
    multiply(x, displacement);
    load(part, s.qv + i);
    multiply(part, velocity);
    add(x, part);
    load(y, s.vv + i);
    multiply(y, velocity);
    load(part, s.vq + i);
    multiply(part, displacement);
    add(y, part);
    if (s.forces.forces > 0) {
      const double* pushed = s.pushed + 2 * i * s.points;
      P pushes[kMostPushes];
      sumModalForcesAlongRows(s.forces, i, pushes);
      for (int l = 0; l < s.forces.count; ++l, pushed += 2 * kLanes) {
        load(part, pushed);
        multiply(part, pushes[l]);
        add(x, part);
        load(part, pushed + kLanes);
        multiply(part, pushes[l]);
        add(y, part);
      }
    }
    store(q + i, x);
    store(v + i, y);
  }
}

template <class P>
RICOCHET_INLINE double weightedSumOfAbsoluteValuesKernel(const double* a, const double* weights,
                                                         Index size) noexcept {
  P total;
  clear(total);
  for (Index i = 0; i < size; i += kLanes) {
    P x, weight;
    load(x, a + i);
    replaceLanesByAbsoluteValues(x);
    load(weight, weights + i);
    addProduct(total, x, weight);
  }
  return sum(total);
}

template <class P>
RICOCHET_INLINE void computeMotionBoundsKernel(const ReachBounds& given, double* bound) noexcept {
  const ReachBounds s = given;
  for (Index i = s.plane.begin; i < s.plane.end(); i += kLanes) {
    P push, total, x;
    clear(push);
    for (int n = 0; n < s.forces; ++n) {
      load(x, s.rows[n] + i);
      replaceLanesByAbsoluteValues(x);
      addProduct(push, s.sizes[n], x);
    }
    load(x, s.reach + i);
    multiply(push, x);
    load(total, s.energy + i);
    load(x, s.departure + i);
    multiply(total, x);
    add(total, push);
    store(bound + i, total);
  }
}

/// One step of the recurrence: the pair (next, y) becomes (force - drag next - square y, next).
template <class P>
RICOCHET_INLINE void advanceModeRecurrenceByOneStep(const P& force, const P& drag, const P& square, P& y,
                                                    P& next) noexcept {
  P before = square, last = drag, after = force;
  multiply(before, y);
  multiply(last, next);
  subtract(after, last);
  subtract(after, before);
  y = next;
  next = after;
}

template <class P>
RICOCHET_INLINE void advanceModeRecurrenceKernel(const ModeRecurrence& given, double* y,
                                                 double* next) noexcept {
  const ModeRecurrence s = given;
  P one;
  load(one, kOnes);
  for (Index i = 0; i < s.size; i += kLanes) {
    P square, drag, minusSquare, minusDrag;
    load(square, s.square + i);
    load(drag, s.drag + i);
    clear(minusSquare);
    clear(minusDrag);
    subtract(minusSquare, square);
    subtract(minusDrag, drag);
    for (int k = 0; k < s.points; ++k) {
      P value[2], size[2];
#pragma GCC unroll 2
      for (int m = 0; m < 2; ++m) {
        clear(value[m]);
        clear(size[m]);
      }
      for (int n = 0; n < s.points; ++n) {
        P force = one;
        scaleBy(force, s.force[k * s.points + n]);
        P sizeOfForce = force;
        replaceLanesByAbsoluteValues(sizeOfForce);
        advanceModeRecurrenceByOneStep(force, drag, square, value[0], value[1]);
        advanceModeRecurrenceByOneStep(sizeOfForce, minusDrag, minusSquare, size[0], size[1]);
      }
#pragma GCC unroll 2
      for (int m = 0; m < 2; ++m) {
        replaceLanesByAbsoluteValues(value[m]);
        addProduct(value[m], s.rounding, size[m]);
      }
      store(y + k * s.size + i, value[0]);
      store(next + k * s.size + i, value[1]);
    }
  }
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, advanceModeRecurrence,
                (const ModeRecurrence& of, double* y, double* next), (of, y, next))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, double, weightedSumOfAbsoluteValues,
                (const double* a, const double* weights, Index size), (a, weights, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, computeMotionBounds, (const ReachBounds& of, double* bound),
                (of, bound))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, addMatrixVectorProduct,
                (const double* block, double factor, const double* x, double* y, int columns, Index stride),
                (block, factor, x, y, columns, stride))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, addWeightedVectors,
                (const double* a, int count, const double* factors, double* y, Index size),
                (a, count, factors, y, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, addFreeMotionOfModes,
                (const double* a, const double* b, int columns, const double* q, const double* v, double* y,
                 Index size),
                (a, b, columns, q, v, y, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, VolterraChange, solveForcesByGaussSeidelSweeps,
                (const VolterraSystem& system), (system))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, computeModalStateAtStepEnd,
                (const VolterraEnd& step, const double* q0, const double* v0, double* q, double* v),
                (step, q0, v0, q, v))

}  // namespace ricochet::kernels
