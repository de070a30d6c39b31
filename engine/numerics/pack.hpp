#pragma once

// A file that includes this header may choose the register width: see lane_kernels_avx512.cpp. The default is
// the width that every x86-64 processor has.
#ifndef RICOCHET_LANES
#define RICOCHET_LANES baseline
#define RICOCHET_LANES_REGISTERS Quarters
#define RICOCHET_LANES_BITS 128  // the compiler parses a whole file before it changes the target processor
#endif

#include "engine/numerics/eight.hpp"
#include "engine/numerics/lanes.hpp"
#include "engine/numerics/real.hpp"

#if defined(__SSE2__)
#include <immintrin.h>

#include <cassert>
#endif

#include <cassert>
#include <cmath>
#include <cstring>

namespace ricochet::batch::RICOCHET_LANES {

/// Eight doubles like kernels::Halves, in the registers that every x86-64 processor has.
struct Quarters {
  kernels::Register16 first, second, third, fourth;
};

using Registers = RICOCHET_LANES_REGISTERS;

struct FullBits {
  decltype(kernels::Register64{} > kernels::Register64{}) all;
};
struct HalvesBits {
  decltype(kernels::Register32{} > kernels::Register32{}) low, high;
};
struct QuartersBits {
  decltype(kernels::Register16{} > kernels::Register16{}) first, second, third, fourth;
};
FullBits bitsOf(const kernels::Full&);
HalvesBits bitsOf(const kernels::Halves&);
QuartersBits bitsOf(const Quarters&);

/// Calls f on each register of its arguments.
template <class F, class A, class... As>
inline void forEachRegister(F&& f, A& a, As&... as) noexcept {
  if constexpr (requires { a.all; }) {
    f(a.all, as.all...);
  } else if constexpr (requires { a.low; }) {
    f(a.low, as.low...);
    f(a.high, as.high...);
  } else {
    f(a.first, as.first...);
    f(a.second, as.second...);
    f(a.third, as.third...);
    f(a.fourth, as.fourth...);
  }
}

// Operations that the vector extensions of the compiler lack, by intrinsics of the selected registers.
#if RICOCHET_LANES_BITS == 512
inline bool anyOf(const FullBits& m) noexcept {
  const auto all = reinterpret_cast<__m512i>(m.all);
  return _mm512_test_epi64_mask(all, all) != 0;
}
inline void replaceBySquareRoots(kernels::Full& x) noexcept {
  __m256d halves[2];
  std::memcpy(halves, &x, sizeof halves);
  for (__m256d& half : halves) half = _mm256_sqrt_pd(half);
  std::memcpy(&x, halves, sizeof halves);
}
#endif
#if RICOCHET_LANES_BITS >= 256
inline bool anyOf(const HalvesBits& m) noexcept {
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(m.low | m.high)) != 0;
}
inline void replaceBySquareRoots(kernels::Halves& x) noexcept {
  x.low = _mm256_sqrt_pd(x.low);
  x.high = _mm256_sqrt_pd(x.high);
}
#endif
inline bool anyOf(const QuartersBits& m) noexcept {
  const auto all = (m.first | m.second) | (m.third | m.fourth);
  return (all[0] | all[1]) != 0;
}
inline void replaceBySquareRoots(Quarters& x) noexcept {
  forEachRegister(
      [](auto& y) {
        y[0] = std::sqrt(y[0]);
        y[1] = std::sqrt(y[1]);
      },
      x);
}

// A vector type that may alias its elements; access as bytes would force the compiler to reload all pointers.
template <class R, class Element>
inline void readRegisters(R& registers, const Element* from) noexcept {
  forEachRegister(
      [&from]<class V>(V& x) {
        assert(kernels::isAlignedFor<V>(from));
        x = *reinterpret_cast<const V*>(from);
        from += sizeof(V) / sizeof(Element);
      },
      registers);
}
template <class R, class Element>
inline void writeRegisters(Element* to, const R& registers) noexcept {
  forEachRegister(
      [&to]<class V>(const V& x) {
        assert(kernels::isAlignedFor<V>(to));
        *reinterpret_cast<V*>(to) = x;
        to += sizeof(V) / sizeof(Element);
      },
      registers);
}

// Without inlining a call may go from code for one processor to code for another. The copy constructors below
// are not trivial, so that packs and masks are passed in memory, whatever the registers are.

/// A condition for each lane.
class PackMask {
 public:
  PackMask() noexcept : PackMask(false) {}
  explicit PackMask(bool all) noexcept {
    forEachRegister([all]<class V>(V& x) { x = all ? ~V{} : V{}; }, bits_);
  }
  PackMask(const PackMask& other) noexcept { *this = other; }
  // Copies register by register: a copy of the whole block would be split into halves.
  PackMask& operator=(const PackMask& other) noexcept {
    forEachRegister([](auto& to, const auto& from) { to = from; }, bits_, other.bits_);
    return *this;
  }
  explicit PackMask(const EightMask& from) noexcept { readRegisters(bits_, from.lane); }
  void store(EightMask& to) const noexcept { writeRegisters(to.lane, bits_); }

  friend PackMask operator&(const PackMask& a, const PackMask& b) noexcept {
    PackMask c = a;
    forEachRegister([](auto& x, const auto& y) { x &= y; }, c.bits_, b.bits_);
    return c;
  }
  friend PackMask operator|(const PackMask& a, const PackMask& b) noexcept {
    PackMask c = a;
    forEachRegister([](auto& x, const auto& y) { x |= y; }, c.bits_, b.bits_);
    return c;
  }
  friend PackMask operator^(const PackMask& a, const PackMask& b) noexcept {
    PackMask c = a;
    forEachRegister([](auto& x, const auto& y) { x ^= y; }, c.bits_, b.bits_);
    return c;
  }
  friend PackMask operator~(const PackMask& a) noexcept {
    PackMask c = a;
    forEachRegister([](auto& x) { x = ~x; }, c.bits_);
    return c;
  }
  friend PackMask select(const PackMask& condition, const PackMask& yes, const PackMask& no) noexcept {
    return (condition & yes) | (~condition & no);
  }
  friend bool any(const PackMask& mask) noexcept { return anyOf(mask.bits_); }

  auto& bits() noexcept { return bits_; }
  const auto& bits() const noexcept { return bits_; }

 private:
  decltype(bitsOf(Registers{})) bits_;
};

/// Eight doubles as a scalar type of the laws (real.hpp): every lane has the bits that `double` gives.
class Pack {
 public:
  Pack() noexcept : Pack(0.0) {}
  Pack(double all) noexcept {  // NOLINT: implicit, as constants mix with packs
    forEachRegister(
        [all]<class V>(V& x) {
          if constexpr (sizeof(V) == 64)
            x = V{all, all, all, all, all, all, all, all};
          else if constexpr (sizeof(V) == 32)
            x = V{all, all, all, all};
          else
            x = V{all, all};
        },
        lanes_);
  }
  Pack(const Pack& other) noexcept { *this = other; }
  Pack& operator=(const Pack& other) noexcept {
    forEachRegister([](auto& to, const auto& from) { to = from; }, lanes_, other.lanes_);
    return *this;
  }
  explicit Pack(const Eight& from) noexcept { readRegisters(lanes_, from.lane); }
  void store(Eight& to) const noexcept { writeRegisters(to.lane, lanes_); }

  friend Pack operator+(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    forEachRegister([](auto& x, const auto& y) { x += y; }, c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator-(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    forEachRegister([](auto& x, const auto& y) { x -= y; }, c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator*(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    forEachRegister([](auto& x, const auto& y) { x *= y; }, c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator/(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    forEachRegister([](auto& x, const auto& y) { x /= y; }, c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator-(const Pack& a) noexcept {
    Pack c = a;
    forEachRegister([](auto& x) { x = -x; }, c.lanes_);
    return c;
  }
  friend PackMask operator>(const Pack& a, const Pack& b) noexcept {
    PackMask mask;
    forEachRegister([](auto& m, const auto& x, const auto& y) { m = x > y; }, mask.bits(), a.lanes_,
                    b.lanes_);
    return mask;
  }
  friend PackMask operator<(const Pack& a, const Pack& b) noexcept { return b > a; }
  friend PackMask operator>=(const Pack& a, const Pack& b) noexcept {
    PackMask mask;
    forEachRegister([](auto& m, const auto& x, const auto& y) { m = x >= y; }, mask.bits(), a.lanes_,
                    b.lanes_);
    return mask;
  }
  friend PackMask operator==(const Pack& a, const Pack& b) noexcept {
    PackMask mask;
    forEachRegister([](auto& m, const auto& x, const auto& y) { m = x == y; }, mask.bits(), a.lanes_,
                    b.lanes_);
    return mask;
  }
  friend Pack select(const PackMask& condition, const Pack& yes, const Pack& no) noexcept {
    Pack c = yes;
    forEachRegister([](auto& x, const auto& m, const auto& y) { x = m ? x : y; }, c.lanes_, condition.bits(),
                    no.lanes_);
    return c;
  }
  friend Pack sqrt(const Pack& a) noexcept {
    Pack c = a;
    replaceBySquareRoots(c.lanes_);
    return c;
  }
  /// Returns 1 with the sign of a.
  friend Pack signOf(const Pack& a) noexcept {
    Eight lanes;
    a.store(lanes);
    for (double& lane : lanes.lane) lane = std::copysign(1.0, lane);
    return Pack(lanes);
  }

 private:
  Registers lanes_;
};

/// Unit vector with the bits of `unitVector` on doubles, which needs no root and no division along one
/// tangent.
inline Tangential<Pack> unitVector(const Tangential<Pack>& t, const Pack& square) noexcept;

}  // namespace ricochet::batch::RICOCHET_LANES

template <>
struct ricochet::MaskOf<ricochet::batch::RICOCHET_LANES::Pack> {
  using Type = ricochet::batch::RICOCHET_LANES::PackMask;
};
template <>
struct ricochet::ConstantOf<ricochet::batch::RICOCHET_LANES::Pack> {
  using Type = ricochet::batch::RICOCHET_LANES::Pack;
};

inline ricochet::Tangential<ricochet::batch::RICOCHET_LANES::Pack>
ricochet::batch::RICOCHET_LANES::unitVector(const Tangential<Pack>& t, const Pack& square) noexcept {
  const Pack zero(0.0);
  const PackMask alongFirst = t.second == zero;
  const PackMask alongSecond = ~alongFirst & (t.first == zero);
  const PackMask across = ~(alongFirst | alongSecond);
  Tangential<Pack> direction{signOf(t.first), zero};
  if (any(alongSecond)) {
    direction.first = select(alongSecond, zero, direction.first);
    direction.second = select(alongSecond, signOf(t.second), zero);
  }
  if (any(across)) {
    const Pack factor = Pack(1.0) / sqrt(select(across, square, Pack(1.0)));
    direction.first = select(across, factor * t.first, direction.first);
    direction.second = select(across, factor * t.second, direction.second);
  }
  return direction;
}
