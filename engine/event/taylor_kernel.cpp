#include "engine/event/taylor_kernel.hpp"

#include "engine/kernel_dispatch.hpp"

namespace ricochet::kernels {
namespace {

/// Forces of order k that do not wait for a constraint.
RICOCHET_INLINE void forcesOfOrder(const TaylorArrays& s, int k) noexcept {
  for (int c = 0; c < s.channels; ++c) {
    const Index at = c * s.stride + k;
    double force = k < s.givenCount[c] ? s.given[at] : 0.0;
    if (s.fedBack[c] != 0) force -= s.stiffness[c] * s.dots[at] + s.damping[c] * ((k + 1) * s.dots[at + 1]);
    if (s.follows[c] >= 0 && s.follows[c] < s.channels)
      force += s.factor[c] * s.force[s.follows[c] * s.stride + k];
    s.force[at] = force;
  }
}

/// q_{k+2} <- acceleration of order k under the forces known so far.
template <class P>
RICOCHET_INLINE void accelerate(const TaylorArrays& s, int k) noexcept {
  const double* q0 = s.q + k * s.size;
  const double* q1 = q0 + s.size;
  double* next = s.q + (k + 2) * s.size;
  const double slope = -(k + 1);
  for (Index i = 0; i < s.size; i += kLanes) {
    P total, x, w;
    clear(total);
    load(x, q0 + i);
    load(w, s.omegaSquared + i);
    multiply(w, x);
    subtract(total, w);
    if (s.dampingDiagonal != nullptr) {
      load(x, q1 + i);
      load(w, s.dampingDiagonal + i);
      multiply(w, x);
      addProduct(total, slope, w);
    }
    for (int c = 0; c < s.channels; ++c) {
      const double force = s.force[c * s.stride + k];
      if (force == 0.0) continue;
      load(x, s.rows[c] + i);
      addProduct(total, force, x);
    }
    store(next + i, total);
  }
  if (s.dampingMatrix == nullptr) return;
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
RICOCHET_INLINE void constrain(const TaylorArrays& s, int k) noexcept {
  double* next = s.q + (k + 2) * s.size;
  for (int r = 0; r < s.constraints; ++r) {
    double product;
    blockOfDots<P, 1>(s.constraintRows[r], next, s.size, &product);
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
  for (int c = 0; c < s.channels; ++c)
    if (s.follows[c] >= s.channels)
      s.force[c * s.stride + k] += s.factor[c] * s.reaction[(s.follows[c] - s.channels) * s.stride + k];
}

template <class P>
RICOCHET_INLINE void taylorOrdersOf(const TaylorArrays& arrays, int first, int last) noexcept {
  const TaylorArrays s = arrays;
  for (int k = first; k <= last; ++k) {
    forcesOfOrder(s, k);
    accelerate<P>(s, k);
    if (s.constraints > 0) constrain<P>(s, k);
    double* next = s.q + (k + 2) * s.size;
    const double scale = 1.0 / ((k + 1.0) * (k + 2.0));
    for (Index i = 0; i < s.size; i += kLanes) {
      P x, zero;
      load(x, next + i);
      clear(zero);
      addProduct(zero, scale, x);
      store(next + i, zero);
    }
    for (int c = 0; c < s.channels; ++c)
      if (s.fedBack[c] != 0) blockOfDots<P, 1>(s.rows[c], next, s.size, s.dots + c * s.stride + k + 2);
  }
}

template <class P>
RICOCHET_INLINE void evaluateColumnsOf(const double* columns, int count, double t, double* y, double* slope,
                                       Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P value, rate, c;
    clear(rate);
    load(value, columns + (count - 1) * size + i);
    for (int k = count - 2; k >= 0; --k) {
      P next;
      load(next, columns + k * size + i);
      c = value;
      addProduct(c, t, rate);  // rate <- value + t rate
      rate = c;
      addProduct(next, t, value);
      value = next;
    }
    store(y + i, value);
    if (slope != nullptr) store(slope + i, rate);
  }
}

/// Horner at several instants at once, which hides the latency of each.
template <class P>
RICOCHET_INLINE void evaluateRatesOf(const double* columns, int count, const double* times, double* slopes,
                                     Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P rates[kTogether];
#pragma GCC unroll 6
    for (int n = 0; n < kTogether; ++n) clear(rates[n]);
    for (int k = count - 1; k > 0; --k) {
      P column, scaled;
      load(column, columns + k * size + i);
      clear(scaled);
      addProduct(scaled, static_cast<double>(k), column);
#pragma GCC unroll 6
      for (int n = 0; n < kTogether; ++n) {
        P next = scaled;
        addProduct(next, times[n], rates[n]);
        rates[n] = next;
      }
    }
#pragma GCC unroll 6
    for (int n = 0; n < kTogether; ++n) store(slopes + n * size + i, rates[n]);
  }
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, taylorOrders, (const TaylorArrays& arrays, int first, int last),
                (arrays, first, last))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, evaluateColumns,
                (const double* columns, int count, double t, double* y, double* slope, Index size),
                (columns, count, t, y, slope, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, evaluateRates,
                (const double* columns, int count, const double* times, double* slopes, Index size),
                (columns, count, times, slopes, size))

}  // namespace ricochet::kernels
