#include "engine/event/series/taylor_kernel.hpp"

#include "engine/numerics/kernel_dispatch.hpp"

#include <type_traits>

namespace ricochet::kernels {
namespace {

/// Computes the forces of order k that do not follow a constraint.
RICOCHET_INLINE void computeForceCoefficientsOfOrder(const TaylorArrays& s, int k) noexcept {
  for (int i = 0; i < s.liveCount; ++i) {
    const int c = s.live[i];
    const Index at = c * s.stride + k;
    double force = k < s.givenCount[c] ? s.given[at] : 0.0;
    if (s.fedBack[c] != 0) force -= s.stiffness[c] * s.dots[at] + s.damping[c] * ((k + 1) * s.dots[at + 1]);
    if (s.follows[c] >= 0 && s.follows[c] < s.channels)
      force += s.factor[c] * s.force[s.follows[c] * s.stride + k];
    s.force[at] = force;
  }
}

/// Lists the non-zero forces of order k in a plane, and returns their number.
RICOCHET_INLINE int listNonZeroForces(const TaylorArrays& s, int k, int plane) noexcept {
  const bool all = k < s.givenEnd;
  const int candidates = all ? s.channels : s.liveCount;
  int count = 0;
  for (int n = 0; n < candidates; ++n) {
    const int c = all ? n : s.live[n];
    const double force = s.force[c * s.stride + k];
    s.pushRows[count] = s.rows[c];
    s.pushes[count] = force;
    count += ((force != 0.0) & (s.planeNumberOfRow[c] == plane)) ? 1 : 0;
  }
  return count;
}

/// Arguments for one order k of the modes of a plane: number of non-zero forces, rows of forces that depend
/// on the motion.
template <int kRows>
struct Order {
  int k;
  double scale;
  int pushes;
  const double* fed[kRows + 1];
};

/// Computes one order for kBlocks blocks of modes from i on, which share the loads of the forces.
template <class P, int kRows, int kBlocks>
RICOCHET_INLINE void computeAccelerationsOfBlocks(const TaylorArrays& s, const Order<kRows>& order, Index i,
                                                  P* dots) noexcept {
  const double* q0 = s.q + order.k * s.size + i;
  const double* q1 = q0 + s.size;
  double* next = s.q + (order.k + 2) * s.size + i;
  const double slope = -(order.k + 1);
  P totals[kBlocks], x, w;
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) {
    if (s.extra == nullptr)
      clear(totals[b]);
    else
      load(totals[b], s.extra + order.k * s.size + i + b * kLanes);
    load(x, q0 + b * kLanes);
    load(w, s.omegaSquared + i + b * kLanes);
    multiply(w, x);
    subtract(totals[b], w);
  }
  if (s.dampingDiagonal != nullptr) {
#pragma GCC unroll 4
    for (int b = 0; b < kBlocks; ++b) {
      load(x, q1 + b * kLanes);
      load(w, s.dampingDiagonal + i + b * kLanes);
      multiply(w, x);
      addProduct(totals[b], slope, w);
    }
  }
  for (int n = 0; n < order.pushes; ++n) {
    const double* row = s.pushRows[n] + i;
    const double force = s.pushes[n];
#pragma GCC unroll 4
    for (int b = 0; b < kBlocks; ++b) {
      load(x, row + b * kLanes);
      addProduct(totals[b], force, x);
    }
  }
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) {
    scaleBy(totals[b], order.scale);
    store(next + b * kLanes, totals[b]);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      load(x, order.fed[r] + i + b * kLanes);
      addProduct(dots[r], x, totals[b]);
    }
  }
}

/// Computes q_{k+2} = `scale` times the acceleration of order k in a plane under the known forces, and its
/// products with the first kRows rows of the plane whose forces depend on the motion.
template <class P, int kRows>
RICOCHET_INLINE void computeModeAccelerations(const TaylorArrays& s, int k, double scale,
                                              int plane) noexcept {
  constexpr int kBlocks = std::is_same_v<P, Full> ? 4 : 2;
  Order<kRows> order{.k = k, .scale = scale, .pushes = listNonZeroForces(s, k, plane), .fed = {}};
  const int* numbers = s.fed + s.fedBegin[plane];
  P dots[kRows + 1];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    clear(dots[r]);
    order.fed[r] = s.rows[numbers[r]];
  }
  const Index end = s.plane[plane].end();
  Index i = s.plane[plane].begin;
  for (; i + kBlocks * kLanes <= end; i += kBlocks * kLanes)
    computeAccelerationsOfBlocks<P, kRows, kBlocks>(s, order, i, dots);
  if constexpr (kBlocks > 2)
    for (; i + 2 * kLanes <= end; i += 2 * kLanes)
      computeAccelerationsOfBlocks<P, kRows, 2>(s, order, i, dots);
  for (; i < end; i += kLanes) computeAccelerationsOfBlocks<P, kRows, 1>(s, order, i, dots);
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) s.dots[numbers[r] * s.stride + k + 2] = sum(dots[r]);
}

constexpr int kAtHand = 4;

template <class P>
RICOCHET_INLINE void computeAccelerationsAndRowProducts(const TaylorArrays& s, int k, double scale,
                                                        int plane) noexcept {
  switch (s.fedBegin[plane + 1] - s.fedBegin[plane]) {
    case 0:
      return computeModeAccelerations<P, 0>(s, k, scale, plane);
    case 1:
      return computeModeAccelerations<P, 1>(s, k, scale, plane);
    case 2:
      return computeModeAccelerations<P, 2>(s, k, scale, plane);
    case 3:
      return computeModeAccelerations<P, 3>(s, k, scale, plane);
    default:
      return computeModeAccelerations<P, kAtHand>(s, k, scale, plane);
  }
}

/// Products of the coefficients of order `column` with the rows of a plane of modes whose forces depend on
/// the motion, from the row number `first` on.
template <class P>
RICOCHET_INLINE void computeDotProductsOfColumnWithRows(const TaylorArrays& s, int column, int first,
                                                        int plane) noexcept {
  const Index begin = s.plane[plane].begin, size = s.plane[plane].size;
  const double* x = s.q + column * s.size + begin;
  int n = s.fedBegin[plane] + first;
  const int end = s.fedBegin[plane + 1];
  for (; n + 4 <= end; n += 4) {
    const double* rows[4];
    double products[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) rows[r] = s.rows[s.fed[n + r]] + begin;
    multiplyScatteredRowsByVector<P, 4>(rows, x, size, products);
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) s.dots[s.fed[n + r] * s.stride + column] = products[r];
  }
  for (; n < end; ++n)
    multiplyContiguousRowsByVector<P, 1>(s.rows[s.fed[n]] + begin, x, size,
                                         s.dots + s.fed[n] * s.stride + column);
}

/// Adds the damping term of a matrix C that couples modes: q_{k+2} -= (k + 1) C q_{k+1}.
template <class P>
RICOCHET_INLINE void subtractDampingForces(const TaylorArrays& s, int k) noexcept {
  const double* q1 = s.q + (k + 1) * s.size;
  double* next = s.q + (k + 2) * s.size;
  const double slope = -(k + 1);
  for (Index j = 0; j < s.size; ++j) {
    const double rate = slope * q1[j];
    if (rate == 0.0) continue;
    for (Index i = 0; i < s.size; i += kLanes) {
      P total, x;
      load(total, next + i);
      load(x, s.dampingMatrix + j * s.size + i);
      addProduct(total, rate, x);
      store(next + i, total);
    }
  }
}

template <class P>
RICOCHET_INLINE void satisfyConstraintsAtOrder(const TaylorArrays& s, int k) noexcept {
  double* next = s.q + (k + 2) * s.size;
  for (int r = 0; r < s.constraints; ++r) {
    double product;
    multiplyContiguousRowsByVector<P, 1>(s.constraintRows[r], next, s.size, &product);
    s.residual[r] = (k < s.targetCount[r] ? s.target[r * s.stride + k] : 0.0) - product;
  }
  for (int r = 0; r < s.constraints; ++r) {
    double reaction = 0.0;
    for (int j = 0; j < s.constraints; ++j) reaction += s.inverse[r * s.constraints + j] * s.residual[j];
    s.reaction[r * s.stride + k] = reaction;
    for (Index i = 0; i < s.size; i += kLanes) {
      P total, x;
      load(total, next + i);
      load(x, s.constraintEffects[r] + i);
      addProduct(total, reaction, x);
      store(next + i, total);
    }
  }
  for (int i = 0; i < s.liveCount; ++i) {
    const int c = s.live[i];
    if (s.follows[c] >= s.channels)
      s.force[c * s.stride + k] += s.factor[c] * s.reaction[(s.follows[c] - s.channels) * s.stride + k];
  }
}

template <class P>
RICOCHET_INLINE void scaleTaylorCoefficients(double* column, double scale, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P x;
    load(x, column + i);
    scaleBy(x, scale);
    store(column + i, x);
  }
}

/// Computes the orders `first` to `last` of modes without forces, block by block.
template <class P>
RICOCHET_INLINE void computeTaylorOrdersOfUnforcedModes(const TaylorArrays& s, int first, int last) noexcept {
  for (Index i = 0; i < s.size; i += kLanes) {
    P x, y, spring, dashpot;
    load(x, s.q + first * s.size + i);
    load(y, s.q + (first + 1) * s.size + i);
    load(spring, s.omegaSquared + i);
    if (s.dampingDiagonal != nullptr) load(dashpot, s.dampingDiagonal + i);
    for (int k = first; k <= last; ++k) {
      P total, part = spring;
      clear(total);
      multiply(part, x);
      subtract(total, part);
      if (s.dampingDiagonal != nullptr) {
        part = dashpot;
        multiply(part, y);
        addProduct(total, static_cast<double>(-(k + 1)), part);
      }
      scaleBy(total, 1.0 / ((k + 1.0) * (k + 2.0)));
      store(s.q + (k + 2) * s.size + i, total);
      x = y;
      y = total;
    }
  }
}

template <class P>
RICOCHET_INLINE void computeSeriesOrders(const TaylorArrays& s, int first, int last) noexcept {
  const bool inParts = s.dampingMatrix != nullptr || s.constraints > 0;
  const bool coasts = !inParts && s.liveCount == 0;
  for (int k = first; k <= last; ++k) {
    if (coasts && k >= s.givenEnd) return computeTaylorOrdersOfUnforcedModes<P>(s, k, last);
    computeForceCoefficientsOfOrder(s, k);
    const double scale = 1.0 / ((k + 1.0) * (k + 2.0));
    if (!inParts) {
      for (int plane = 0; plane < s.planes; ++plane) {
        computeAccelerationsAndRowProducts<P>(s, k, scale, plane);
        computeDotProductsOfColumnWithRows<P>(s, k + 2, kAtHand, plane);
      }
      continue;
    }
    for (int plane = 0; plane < s.planes; ++plane) computeModeAccelerations<P, 0>(s, k, 1.0, plane);
    if (s.dampingMatrix != nullptr) subtractDampingForces<P>(s, k);
    if (s.constraints > 0) satisfyConstraintsAtOrder<P>(s, k);
    scaleTaylorCoefficients<P>(s.q + (k + 2) * s.size, scale, s.size);
    for (int plane = 0; plane < s.planes; ++plane) computeDotProductsOfColumnWithRows<P>(s, k + 2, 0, plane);
  }
}

/// For the smallest models, the number of modes is a compile-time constant.
template <class P>
RICOCHET_INLINE void computeTaylorCoefficientsKernel(const TaylorArrays& arrays, int first,
                                                     int last) noexcept {
  static constexpr ModePlane kOnlyPlane{0, kLanes};
  TaylorArrays s = arrays;
  if (s.size != kLanes) return computeSeriesOrders<P>(s, first, last);
  s.size = kLanes;
  s.planes = 1;
  s.plane = &kOnlyPlane;
  computeSeriesOrders<P>(s, first, last);
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, computeTaylorCoefficients,
                (const TaylorArrays& arrays, int first, int last), (arrays, first, last))

}  // namespace ricochet::kernels
