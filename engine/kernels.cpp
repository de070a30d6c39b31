#include "engine/kernels.hpp"

#include <cstring>

// Every kernel below is written once, over a type that holds eight doubles, and compiled for several
// generations of x86-64 vector units; a pointer picked when the program starts says which one runs. The
// macros are here because the language offers no way to stamp a template with a target.
#define RICOCHET_INLINE [[gnu::always_inline]] inline
#if defined(__x86_64__)
#define RICOCHET_KERNEL(result, name, parameters, arguments)                   \
  namespace {                                                                  \
  __attribute__((target("avx512f"))) result name##Avx512 parameters noexcept { \
    return name##Of<Full> arguments;                                           \
  }                                                                            \
  __attribute__((target("avx2"))) result name##Avx2 parameters noexcept {      \
    return name##Of<Halves> arguments;                                         \
  }                                                                            \
  result name##Sse2 parameters noexcept { return name##Of<Halves> arguments; } \
  const auto name##Best = pick(name##Avx512, name##Avx2, name##Sse2);          \
  }                                                                            \
  result name parameters noexcept { return name##Best arguments; }
#else
#define RICOCHET_KERNEL(result, name, parameters, arguments) \
  result name parameters noexcept { return name##Of<Halves> arguments; }
#endif

namespace ricochet::kernels {
namespace {

using Index = Eigen::Index;

using Register16 = double __attribute__((vector_size(16)));
using Register32 = double __attribute__((vector_size(32)));
using Register64 = double __attribute__((vector_size(64)));

/// Eight doubles in one register, or in two: the same lanes, added in the same order.
struct Full {
  Register64 all;
};
struct Halves {
  Register32 low;
  Register32 high;
};

template <class R>
RICOCHET_INLINE void read(R& lanes, const double* from) noexcept {
  std::memcpy(&lanes, __builtin_assume_aligned(from, sizeof lanes), sizeof lanes);
}
template <class R>
RICOCHET_INLINE void write(double* to, const R& lanes) noexcept {
  std::memcpy(__builtin_assume_aligned(to, sizeof lanes), &lanes, sizeof lanes);
}

RICOCHET_INLINE void clear(Full& x) noexcept { x.all = Register64{}; }
RICOCHET_INLINE void clear(Halves& x) noexcept { x.low = x.high = Register32{}; }
RICOCHET_INLINE void load(Full& x, const double* from) noexcept { read(x.all, from); }
RICOCHET_INLINE void load(Halves& x, const double* from) noexcept {
  read(x.low, from);
  read(x.high, from + 4);
}
RICOCHET_INLINE void store(double* to, const Full& x) noexcept { write(to, x.all); }
RICOCHET_INLINE void store(double* to, const Halves& x) noexcept {
  write(to, x.low);
  write(to + 4, x.high);
}

/// x += y
RICOCHET_INLINE void add(Full& x, const Full& y) noexcept { x.all += y.all; }
RICOCHET_INLINE void add(Halves& x, const Halves& y) noexcept {
  x.low += y.low;
  x.high += y.high;
}
/// x -= y
RICOCHET_INLINE void subtract(Full& x, const Full& y) noexcept { x.all -= y.all; }
RICOCHET_INLINE void subtract(Halves& x, const Halves& y) noexcept {
  x.low -= y.low;
  x.high -= y.high;
}
/// x *= y
RICOCHET_INLINE void multiply(Full& x, const Full& y) noexcept { x.all *= y.all; }
RICOCHET_INLINE void multiply(Halves& x, const Halves& y) noexcept {
  x.low *= y.low;
  x.high *= y.high;
}
/// x += a y, a lanes or a number
RICOCHET_INLINE void addProduct(Full& x, const Full& a, const Full& y) noexcept { x.all += a.all * y.all; }
RICOCHET_INLINE void addProduct(Halves& x, const Halves& a, const Halves& y) noexcept {
  x.low += a.low * y.low;
  x.high += a.high * y.high;
}
RICOCHET_INLINE void addProduct(Full& x, double a, const Full& y) noexcept { x.all += a * y.all; }
RICOCHET_INLINE void addProduct(Halves& x, double a, const Halves& y) noexcept {
  x.low += a * y.low;
  x.high += a * y.high;
}

RICOCHET_INLINE double sumOfHalf(const Register32& s) noexcept {
  Register16 low, high;
  std::memcpy(&low, &s, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char*>(&s) + sizeof low, sizeof high);
  low += high;
  return low[0] + low[1];
}
RICOCHET_INLINE double sum(const Halves& x) noexcept {
  const Register32 s = x.low + x.high;
  return sumOfHalf(s);
}
RICOCHET_INLINE double sum(const Full& x) noexcept {
  Halves halves;
  std::memcpy(&halves, &x, sizeof halves);
  return sum(halves);
}

/// products[r] = rows_r . x for `kRows` rows at once, which share each load of x.
template <class P, int kRows>
RICOCHET_INLINE void blockOfDots(const double* rows, const double* x, Index size, double* products) noexcept {
  P totals[kRows];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) clear(totals[r]);
  for (Index i = 0; i < size; i += kLanes) {
    P y;
    load(y, x + i);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      P a;
      load(a, rows + r * size + i);
      addProduct(totals[r], a, y);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) products[r] = sum(totals[r]);
}

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

#if defined(__x86_64__)
/// The version for this processor.
template <class Function>
Function* pick(Function* avx512, Function* avx2, Function* sse2) noexcept {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return avx512;
  if (__builtin_cpu_supports("avx2")) return avx2;
  return sse2;
}
#endif

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
