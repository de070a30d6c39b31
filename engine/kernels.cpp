#include "engine/kernels.hpp"

#include <cstring>

// a second clone with 256-bit registers, chosen by the dynamic linker (GNU indirect functions)
#if defined(__x86_64__) && defined(__gnu_linux__)
#define RICOCHET_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define RICOCHET_CLONES
#endif

namespace ricochet::kernels {
namespace {

/// Half of the eight lanes. The type, and not the registers there are, fixes the order of the additions.
using Half = double __attribute__((vector_size(kLanes / 2 * sizeof(double))));
constexpr Eigen::Index kHalf = kLanes / 2;

[[gnu::always_inline]] inline void load(Half& lanes, const double* from) noexcept {
  std::memcpy(&lanes, __builtin_assume_aligned(from, 32), sizeof lanes);
}
[[gnu::always_inline]] inline void store(double* to, const Half& lanes) noexcept {
  std::memcpy(__builtin_assume_aligned(to, 32), &lanes, sizeof lanes);
}
[[gnu::always_inline]] inline double sum(const Half& even, const Half& odd) noexcept {
  const Half s = even + odd;
  using Pair = double __attribute__((vector_size(2 * sizeof(double))));
  Pair low, high;
  std::memcpy(&low, &s, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char*>(&s) + sizeof low, sizeof high);
  low += high;
  return low[0] + low[1];
}

/// products[r] = rows_r . x for `kRows` rows at once, which share each load of x.
template <int kRows>
[[gnu::always_inline]] inline void blockOfDots(const double* rows, const double* x, Eigen::Index size,
                                               double* products) noexcept {
  Half even[kRows]{};
  Half odd[kRows]{};
  for (Eigen::Index i = 0; i < size; i += kLanes) {
    Half low, high;
    load(low, x + i);
    load(high, x + i + kHalf);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      Half a, b;
      load(a, rows + r * size + i);
      load(b, rows + r * size + i + kHalf);
      even[r] += a * low;
      odd[r] += b * high;
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) products[r] = sum(even[r], odd[r]);
}

}  // namespace

RICOCHET_CLONES double dot(const double* a, const double* b, Eigen::Index size) noexcept {
  double product;
  blockOfDots<1>(a, b, size, &product);
  return product;
}

RICOCHET_CLONES double weightedSquare(const double* c, const double* v, Eigen::Index size) noexcept {
  Half even{}, odd{};
  for (Eigen::Index i = 0; i < size; i += kLanes) {
    Half x, y;
    load(x, c + i);
    load(y, v + i);
    even += x * y * y;
    load(x, c + i + kHalf);
    load(y, v + i + kHalf);
    odd += x * y * y;
  }
  return sum(even, odd);
}

RICOCHET_CLONES void dots(const double* rows, Eigen::Index count, const double* x, Eigen::Index size,
                          double* products) noexcept {
  Eigen::Index r = 0;
  for (; r + 4 <= count; r += 4) blockOfDots<4>(rows + r * size, x, size, products + r);
  for (; r < count; ++r) blockOfDots<1>(rows + r * size, x, size, products + r);
}

RICOCHET_CLONES void combine(const double* rows, Eigen::Index count, const double* factors, double* y,
                             Eigen::Index size) noexcept {
  if (count == 4) {  // so many that the factors stay in registers
    const double a = factors[0], b = factors[1], c = factors[2], d = factors[3];
    for (Eigen::Index i = 0; i < size; i += kHalf) {
      Half p, q, r, s;
      load(p, rows + i);
      load(q, rows + size + i);
      load(r, rows + 2 * size + i);
      load(s, rows + 3 * size + i);
      const Half total = ((a * p + b * q) + c * r) + d * s;
      store(y + i, total);
    }
    return;
  }
  for (Eigen::Index i = 0; i < size; i += kHalf) {
    Half total{};
    for (Eigen::Index r = 0; r < count; ++r) {
      Half a;
      load(a, rows + r * size + i);
      total += factors[r] * a;
    }
    store(y + i, total);
  }
}

RICOCHET_CLONES double trapezoidWork(const double* f0, const double* f1, double* q0, const double* q1,
                                     Eigen::Index size) noexcept {
  Half even{}, odd{};
  for (Eigen::Index i = 0; i < size; i += kLanes) {
    Half before, after, from, to;
    load(before, f0 + i);
    load(after, f1 + i);
    load(from, q0 + i);
    load(to, q1 + i);
    even += (before + after) * (to - from);
    store(q0 + i, to);
    load(before, f0 + i + kHalf);
    load(after, f1 + i + kHalf);
    load(from, q0 + i + kHalf);
    load(to, q1 + i + kHalf);
    odd += (before + after) * (to - from);
    store(q0 + i + kHalf, to);
  }
  return 0.5 * sum(even, odd);
}

RICOCHET_CLONES void addScaled(double factor, const double* x, double* y, Eigen::Index size) noexcept {
  for (Eigen::Index i = 0; i < size; i += kHalf) {
    Half a, b;
    load(a, x + i);
    load(b, y + i);
    b += factor * a;
    store(y + i, b);
  }
}

RICOCHET_CLONES void addRows(const double* base, const double* const* rows, const double* factors,
                             Eigen::Index count, double* y, Eigen::Index size) noexcept {
  for (Eigen::Index i = 0; i < size; i += kHalf) {
    Half total;
    load(total, base + i);
    for (Eigen::Index r = 0; r < count; ++r) {
      Half a;
      load(a, rows[r] + i);
      total += factors[r] * a;
    }
    store(y + i, total);
  }
}

RICOCHET_CLONES void kickAndDrift(const DriftTables& tables, double kick, const double* f, double* q,
                                  double* v, Eigen::Index size) noexcept {
  const double* qq = tables.qq;
  const double* qv = tables.qv;
  const double* vq = tables.vq;
  const double* vv = tables.vv;
  for (Eigen::Index i = 0; i < size; i += kHalf) {
    Half x, w, force, a, b;
    load(x, q + i);
    load(w, v + i);
    load(force, f + i);
    w += kick * force;
    load(a, qq + i);
    load(b, qv + i);
    const Half displacement = a * x + b * w;
    store(q + i, displacement);
    load(a, vq + i);
    load(b, vv + i);
    const Half velocity = a * x + b * w;
    store(v + i, velocity);
  }
}

}  // namespace ricochet::kernels
