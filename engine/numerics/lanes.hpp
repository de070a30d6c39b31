#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

namespace ricochet::kernels {

// Eight doubles for the kernels, independent of the register width. Every function is inlined into a kernel
// that is compiled for a given processor, and passes register types by reference, because the processor of
// the calling code may lack them.

using Register16 = double __attribute__((vector_size(16)));
using Register32 = double __attribute__((vector_size(32)));
using Register64 = double __attribute__((vector_size(64)));

/// Eight doubles in one register (Full) or in two (Halves): the same lanes, added in the same order.
struct Full {
  Register64 all;
};
struct Halves {
  Register32 low;
  Register32 high;
};

/// Checks the alignment of an address before a register is loaded. The compiler assumes an aligned address;
/// an unaligned load crashes on some processors and works on others, so builds with assertions check every
/// address.
template <class R>
[[gnu::always_inline]] inline bool isAlignedFor(const void* at) noexcept {
  return reinterpret_cast<std::uintptr_t>(at) % sizeof(R) == 0;
}

template <class R>
[[gnu::always_inline]] inline void read(R& lanes, const double* from) noexcept {
  assert(isAlignedFor<R>(from));
  std::memcpy(&lanes, __builtin_assume_aligned(from, sizeof lanes), sizeof lanes);
}
template <class R>
[[gnu::always_inline]] inline void write(double* to, const R& lanes) noexcept {
  assert(isAlignedFor<R>(to));
  std::memcpy(__builtin_assume_aligned(to, sizeof lanes), &lanes, sizeof lanes);
}

[[gnu::always_inline]] inline void clear(Full& x) noexcept { x.all = Register64{}; }
[[gnu::always_inline]] inline void clear(Halves& x) noexcept { x.low = x.high = Register32{}; }
[[gnu::always_inline]] inline void load(Full& x, const double* from) noexcept { read(x.all, from); }
[[gnu::always_inline]] inline void load(Halves& x, const double* from) noexcept {
  read(x.low, from);
  read(x.high, from + 4);
}
[[gnu::always_inline]] inline void store(double* to, const Full& x) noexcept { write(to, x.all); }
[[gnu::always_inline]] inline void store(double* to, const Halves& x) noexcept {
  write(to, x.low);
  write(to + 4, x.high);
}

/// Lane by lane: x += y.
[[gnu::always_inline]] inline void add(Full& x, const Full& y) noexcept { x.all += y.all; }
[[gnu::always_inline]] inline void add(Halves& x, const Halves& y) noexcept {
  x.low += y.low;
  x.high += y.high;
}
/// Lane by lane: x -= y.
[[gnu::always_inline]] inline void subtract(Full& x, const Full& y) noexcept { x.all -= y.all; }
[[gnu::always_inline]] inline void subtract(Halves& x, const Halves& y) noexcept {
  x.low -= y.low;
  x.high -= y.high;
}
/// Lane by lane: x *= y.
[[gnu::always_inline]] inline void multiply(Full& x, const Full& y) noexcept { x.all *= y.all; }
[[gnu::always_inline]] inline void multiply(Halves& x, const Halves& y) noexcept {
  x.low *= y.low;
  x.high *= y.high;
}
[[gnu::always_inline]] inline void scaleBy(Full& x, double a) noexcept { x.all *= a; }
[[gnu::always_inline]] inline void scaleBy(Halves& x, double a) noexcept {
  x.low *= a;
  x.high *= a;
}
/// All lanes: x += a.
[[gnu::always_inline]] inline void addToAllLanes(Full& x, double a) noexcept { x.all += a; }
[[gnu::always_inline]] inline void addToAllLanes(Halves& x, double a) noexcept {
  x.low += a;
  x.high += a;
}
/// Lane by lane: x += a y, where a has eight lanes or is one number.
[[gnu::always_inline]] inline void addProduct(Full& x, const Full& a, const Full& y) noexcept {
  x.all += a.all * y.all;
}
[[gnu::always_inline]] inline void addProduct(Halves& x, const Halves& a, const Halves& y) noexcept {
  x.low += a.low * y.low;
  x.high += a.high * y.high;
}
[[gnu::always_inline]] inline void addProduct(Full& x, double a, const Full& y) noexcept {
  x.all += a * y.all;
}
[[gnu::always_inline]] inline void addProduct(Halves& x, double a, const Halves& y) noexcept {
  x.low += a * y.low;
  x.high += a * y.high;
}
/// Lane by lane: x = min(x, 0); a NaN is kept.
[[gnu::always_inline]] inline void replaceLanesByNegativeParts(Full& x) noexcept {
  x.all = x.all >= 0.0 ? Register64{} : x.all;
}
[[gnu::always_inline]] inline void replaceLanesByNegativeParts(Halves& x) noexcept {
  x.low = x.low >= 0.0 ? Register32{} : x.low;
  x.high = x.high >= 0.0 ? Register32{} : x.high;
}
/// Lane by lane: the smaller number in x, the larger number in y; a NaN in either may be lost.
[[gnu::always_inline]] inline void sortPairsOfLanes(Full& x, Full& y) noexcept {
  const Register64 before = x.all;
  x.all = before < y.all ? before : y.all;
  y.all = before < y.all ? y.all : before;
}
[[gnu::always_inline]] inline void sortPairsOfLanes(Register32& x, Register32& y) noexcept {
  const Register32 before = x;
  x = before < y ? before : y;
  y = before < y ? y : before;
}
[[gnu::always_inline]] inline void sortPairsOfLanes(Halves& x, Halves& y) noexcept {
  sortPairsOfLanes(x.low, y.low);
  sortPairsOfLanes(x.high, y.high);
}
/// Lane by lane: x = 0 where y = 0.
[[gnu::always_inline]] inline void clearLanesWhereZero(Full& x, const Full& y) noexcept {
  x.all = y.all == 0.0 ? Register64{} : x.all;
}
[[gnu::always_inline]] inline void clearLanesWhereZero(Halves& x, const Halves& y) noexcept {
  x.low = y.low == 0.0 ? Register32{} : x.low;
  x.high = y.high == 0.0 ? Register32{} : x.high;
}

// The eight lanes are added as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)) in all functions below.
[[gnu::always_inline]] inline void splitIntoHalves(Register32& half, const Halves& x) noexcept {
  half = x.low + x.high;
}
[[gnu::always_inline]] inline void splitIntoHalves(Register32& half, const Full& x) noexcept {
  Halves halves;
  std::memcpy(&halves, &x, sizeof halves);
  splitIntoHalves(half, halves);
}
template <class P>
[[gnu::always_inline]] inline double sum(const P& x) noexcept {
  Register32 s;
  splitIntoHalves(s, x);
  Register16 low, high;
  std::memcpy(&low, &s, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char*>(&s) + sizeof low, sizeof high);
  low += high;
  return low[0] + low[1];
}
[[gnu::always_inline]] inline void copyRegisterToHalves(Halves& halves, const Halves& x) noexcept {
  halves = x;
}
[[gnu::always_inline]] inline void copyRegisterToHalves(Halves& halves, const Full& x) noexcept {
  std::memcpy(&halves, &x, sizeof halves);
}
/// The smallest lane of `least` and the largest lane of `most`; a NaN may be lost.
template <class P>
[[gnu::always_inline]] inline void smallestAndLargestLane(const P& least, const P& most,
                                                          double* two) noexcept {
  Halves low, high;
  copyRegisterToHalves(low, least);
  copyRegisterToHalves(high, most);
  const Register32 a = low.low < low.high ? low.low : low.high;
  const Register32 b = high.low > high.high ? high.low : high.high;
  // Lanes 0 and 1 hold the smallest, lanes 2 and 3 the negative largest numbers.
  const Register32 first = __builtin_shufflevector(a, -b, 0, 1, 4, 5);
  const Register32 second = __builtin_shufflevector(a, -b, 2, 3, 6, 7);
  const Register32 four = first < second ? first : second;
  two[0] = four[0] < four[1] ? four[0] : four[1];
  two[1] = four[2] < four[3] ? -four[2] : -four[3];
}
/// Sums of the lanes of four variables at once, with half as many additions.
template <class P>
[[gnu::always_inline]] inline void sumLanesOfFourRegisters(const P& a, const P& b, const P& c, const P& d,
                                                           double* four) noexcept {
  Register32 p, q, r, s;
  splitIntoHalves(p, a);
  splitIntoHalves(q, b);
  splitIntoHalves(r, c);
  splitIntoHalves(s, d);
  const Register32 ac = __builtin_shufflevector(p, r, 0, 1, 4, 5) + __builtin_shufflevector(p, r, 2, 3, 6, 7);
  const Register32 bd = __builtin_shufflevector(q, s, 0, 1, 4, 5) + __builtin_shufflevector(q, s, 2, 3, 6, 7);
  const Register32 total =
      __builtin_shufflevector(ac, bd, 0, 4, 2, 6) + __builtin_shufflevector(ac, bd, 1, 5, 3, 7);
  std::memcpy(four, &total, sizeof total);
}

}  // namespace ricochet::kernels
