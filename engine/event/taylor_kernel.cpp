#include "engine/event/taylor_kernel.hpp"

#include "engine/kernel_dispatch.hpp"

namespace ricochet::kernels {
namespace {

/// Forces of order k that do not wait for a constraint.
RICOCHET_INLINE void forcesOfOrder(const TaylorArrays& s, int k) noexcept {
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

/// Lists the forces of order k that are not zero, and returns how many.
RICOCHET_INLINE int listPushes(const TaylorArrays& s, int k) noexcept {
  const bool all = k < s.givenEnd;
  const int candidates = all ? s.channels : s.liveCount;
  int count = 0;
  for (int n = 0; n < candidates; ++n) {
    const int c = all ? n : s.live[n];
    const double force = s.force[c * s.stride + k];
    s.pushRows[count] = s.rows[c];
    s.pushes[count] = force;
    count += force != 0.0 ? 1 : 0;
  }
  return count;
}

/// q_{k+2} <- `scale` times the acceleration of order k under the forces known so far; and its dots with the
/// first kRows rows that are fed back, while it is at hand.
template <class P, int kRows>
RICOCHET_INLINE void accelerate(const TaylorArrays& s, int k, double scale) noexcept {
  const int count = listPushes(s, k);
  const double* q0 = s.q + k * s.size;
  const double* q1 = q0 + s.size;
  double* next = s.q + (k + 2) * s.size;
  const double slope = -(k + 1);
  P dots[kRows + 1];
  const double* fed[kRows + 1];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    clear(dots[r]);
    fed[r] = s.rows[s.fed[r]];
  }
  for (Index i = 0; i < s.size; i += kLanes) {
    P total, x, w;
    if (s.extra == nullptr)
      clear(total);
    else
      load(total, s.extra + k * s.size + i);
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
    for (int n = 0; n < count; ++n) {
      load(x, s.pushRows[n] + i);
      addProduct(total, s.pushes[n], x);
    }
    scaleBy(total, scale);
    store(next + i, total);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      load(x, fed[r] + i);
      addProduct(dots[r], x, total);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) s.dots[s.fed[r] * s.stride + k + 2] = sum(dots[r]);
}

constexpr int kAtHand = 4;

template <class P>
RICOCHET_INLINE void accelerateAndLook(const TaylorArrays& s, int k, double scale) noexcept {
  switch (s.fedCount) {
    case 0:
      return accelerate<P, 0>(s, k, scale);
    case 1:
      return accelerate<P, 1>(s, k, scale);
    case 2:
      return accelerate<P, 2>(s, k, scale);
    case 3:
      return accelerate<P, 3>(s, k, scale);
    default:
      return accelerate<P, kAtHand>(s, k, scale);
  }
}

/// Dots of a column with the rows that are fed back, from the `first` of them on.
template <class P>
RICOCHET_INLINE void lookAtColumn(const TaylorArrays& s, int column, int first) noexcept {
  const double* x = s.q + column * s.size;
  int n = first;
  for (; n + 4 <= s.fedCount; n += 4) {
    const double* rows[4];
    double products[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) rows[r] = s.rows[s.fed[n + r]];
    blockOfDotsAt<P, 4>(rows, x, s.size, products);
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) s.dots[s.fed[n + r] * s.stride + column] = products[r];
  }
  for (; n < s.fedCount; ++n)
    blockOfDots<P, 1>(s.rows[s.fed[n]], x, s.size, s.dots + s.fed[n] * s.stride + column);
}

/// q_{k+2} -= (k + 1) C q_{k+1} of a C that couples modes.
template <class P>
RICOCHET_INLINE void damp(const TaylorArrays& s, int k) noexcept {
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
  for (int i = 0; i < s.liveCount; ++i) {
    const int c = s.live[i];
    if (s.follows[c] >= s.channels)
      s.force[c * s.stride + k] += s.factor[c] * s.reaction[(s.follows[c] - s.channels) * s.stride + k];
  }
}

template <class P>
RICOCHET_INLINE void scaleColumn(double* column, double scale, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P x;
    load(x, column + i);
    scaleBy(x, scale);
    store(column + i, x);
  }
}

/// The same orders of modes that nothing but their own springs and dashpots moves: a block after the other.
template <class P>
RICOCHET_INLINE void coast(const TaylorArrays& s, int first, int last) noexcept {
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
RICOCHET_INLINE void taylorOrdersOf(const TaylorArrays& arrays, int first, int last) noexcept {
  const TaylorArrays s = arrays;
  const bool inParts = s.dampingMatrix != nullptr || s.constraints > 0;
  const bool coasts = !inParts && s.liveCount == 0;
  for (int k = first; k <= last; ++k) {
    if (coasts && k >= s.givenEnd) return coast<P>(s, k, last);
    forcesOfOrder(s, k);
    const double scale = 1.0 / ((k + 1.0) * (k + 2.0));
    if (!inParts) {
      accelerateAndLook<P>(s, k, scale);
      lookAtColumn<P>(s, k + 2, kAtHand);
      continue;
    }
    accelerate<P, 0>(s, k, 1.0);
    if (s.dampingMatrix != nullptr) damp<P>(s, k);
    if (s.constraints > 0) constrain<P>(s, k);
    scaleColumn<P>(s.q + (k + 2) * s.size, scale, s.size);
    lookAtColumn<P>(s, k + 2, 0);
  }
}

/// One step of Horner's rule in t^2: value <- c + t^2 value, and the same of k c for the rate.
template <class P>
RICOCHET_INLINE void takeColumn(const double* column, int k, double square, P& value, P& rate) noexcept {
  P next, change;
  load(next, column);
  change = next;
  scaleBy(change, static_cast<double>(k));
  addProduct(next, square, value);
  addProduct(change, square, rate);
  value = next;
  rate = change;
}

/// Even and odd powers apart, which halves the latency.
template <class P>
RICOCHET_INLINE void evaluateColumnsOf(const double* columns, int count, double t, double* y, double* slope,
                                       Index size) noexcept {
  const double square = t * t;
  for (Index i = 0; i < size; i += kLanes) {
    P even, odd, evenRate, oddRate;
    clear(even);
    clear(odd);
    clear(evenRate);
    clear(oddRate);
    int k = count - 1;
    if (k % 2 == 0 && k > 0) {
      takeColumn(columns + k * size + i, k, square, even, evenRate);
      --k;
    }
    for (; k > 0; k -= 2) {
      takeColumn(columns + k * size + i, k, square, odd, oddRate);
      if (k > 1) takeColumn(columns + (k - 1) * size + i, k - 1, square, even, evenRate);
    }
    P value;
    load(value, columns + i);
    addProduct(value, square, even);
    addProduct(value, t, odd);
    store(y + i, value);
    addProduct(oddRate, t, evenRate);
    if (slope != nullptr) store(slope + i, oddRate);
  }
}

/// Horner at several instants at once, which hides the latency of each.
template <class P, int kInstants>
RICOCHET_INLINE void ratesAt(const double* columns, int count, const double* times, double* slopes,
                             Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P rates[kInstants];
#pragma GCC unroll 8
    for (int n = 0; n < kInstants; ++n) clear(rates[n]);
    for (int k = count - 1; k > 0; --k) {
      P column, scaled;
      load(column, columns + k * size + i);
      clear(scaled);
      addProduct(scaled, static_cast<double>(k), column);
#pragma GCC unroll 8
      for (int n = 0; n < kInstants; ++n) {
        P next = scaled;
        addProduct(next, times[n], rates[n]);
        rates[n] = next;
      }
    }
#pragma GCC unroll 8
    for (int n = 0; n < kInstants; ++n) store(slopes + n * size + i, rates[n]);
  }
}

template <class P>
RICOCHET_INLINE void evaluateRatesOf(const double* columns, int count, const double* times, int instants,
                                     double* slopes, Index size) noexcept {
  switch (instants) {
    case 4:
      return ratesAt<P, 4>(columns, count, times, slopes, size);
    case 6:
      return ratesAt<P, 6>(columns, count, times, slopes, size);
    default:
      return ratesAt<P, kMostTogether>(columns, count, times, slopes, size);
  }
}

template <class P>
RICOCHET_INLINE void bandSquaresOf(const double* column, Index size, double* squares) noexcept {
  Index i = 0, end = kLanes;
  for (int b = 0; b < kBands; ++b, end = 2 * end + kLanes) {
    P total, x;
    clear(total);
    const Index last = b + 1 < kBands && end < size ? end : size;
    for (; i < last; i += kLanes) {
      load(x, column + i);
      addProduct(total, x, x);
    }
    squares[b] = sum(total);
  }
}

/// Even and odd powers apart, which halves the latency.
template <class P>
RICOCHET_INLINE void polynomialOnGridOf(const double* coefficients, Index count, double end,
                                        double* values) noexcept {
  static_assert(kGrid == 2 * kLanes);
  alignas(64) static constexpr double kFractions[kGrid] = {
      1.0 / 16, 2.0 / 16,  3.0 / 16,  4.0 / 16,  5.0 / 16,  6.0 / 16,  7.0 / 16,  8.0 / 16,
      9.0 / 16, 10.0 / 16, 11.0 / 16, 12.0 / 16, 13.0 / 16, 14.0 / 16, 15.0 / 16, 16.0 / 16};
  alignas(64) static constexpr double kOnes[kLanes] = {1, 1, 1, 1, 1, 1, 1, 1};
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

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, taylorOrders, (const TaylorArrays& arrays, int first, int last),
                (arrays, first, last))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, evaluateColumns,
                (const double* columns, int count, double t, double* y, double* slope, Index size),
                (columns, count, t, y, slope, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, evaluateRates,
                (const double* columns, int count, const double* times, int instants, double* slopes,
                 Index size),
                (columns, count, times, instants, slopes, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, bandSquares, (const double* column, Index size, double* squares),
                (column, size, squares))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, polynomialOnGrid,
                (const double* coefficients, Index count, double end, double* values),
                (coefficients, count, end, values))

}  // namespace ricochet::kernels
