#pragma once

#include "engine/state.hpp"

#include <cstring>

// Kernels are written once, over a type that holds eight doubles, and compiled for several
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
// in every file of kernels on its own: each is compiled for several targets
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
}  // namespace ricochet::kernels
