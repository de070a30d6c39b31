#pragma once

// A file that includes this may choose the registers: see lane_kernels_avx512.cpp. By default, what every
// processor has.
#ifndef RICOCHET_LANES
#define RICOCHET_LANES baseline
#define RICOCHET_LANES_REGISTERS kernels::Halves
#endif

#include "engine/batch/eight.hpp"
#include "engine/lanes.hpp"
#include "engine/real.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <cmath>
#include <cstring>

namespace ricochet::batch::RICOCHET_LANES {

using Registers = RICOCHET_LANES_REGISTERS;

struct FullBits {
  decltype(kernels::Register64{} > kernels::Register64{}) all;
};
struct HalvesBits {
  decltype(kernels::Register32{} > kernels::Register32{}) low, high;
};
FullBits bitsOf(const kernels::Full&);
HalvesBits bitsOf(const kernels::Halves&);

inline void fill(kernels::Full& x, double a) noexcept { x.all = kernels::Register64{a, a, a, a, a, a, a, a}; }
inline void fill(kernels::Halves& x, double a) noexcept { x.low = x.high = kernels::Register32{a, a, a, a}; }

/// Calls f on each register of its arguments.
template <class F, class A, class... As>
inline void onEach(F&& f, A& a, As&... as) noexcept {
  if constexpr (requires { a.all; }) {
    f(a.all, as.all...);
  } else {
    f(a.low, as.low...);
    f(a.high, as.high...);
  }
}

// Where nothing is inlined a call may cross from code for one processor to code for another: the copy
// constructors below are not trivial, so that packs and masks go through memory whatever the registers are.

/// A condition by lane.
class PackMask {
 public:
  PackMask() noexcept { std::memset(&bits_, 0, sizeof bits_); }
  explicit PackMask(bool all) noexcept { std::memset(&bits_, all ? 0xFF : 0, sizeof bits_); }
  PackMask(const PackMask& other) noexcept : bits_(other.bits_) {}
  PackMask& operator=(const PackMask& other) noexcept {
    bits_ = other.bits_;
    return *this;
  }
  explicit PackMask(const EightMask& from) noexcept { std::memcpy(&bits_, from.lane, sizeof bits_); }
  void store(EightMask& to) const noexcept { std::memcpy(to.lane, &bits_, sizeof bits_); }

  friend PackMask operator&(const PackMask& a, const PackMask& b) noexcept {
    PackMask c = a;
    onEach([](auto& x, const auto& y) { x &= y; }, c.bits_, b.bits_);
    return c;
  }
  friend PackMask operator|(const PackMask& a, const PackMask& b) noexcept {
    PackMask c = a;
    onEach([](auto& x, const auto& y) { x |= y; }, c.bits_, b.bits_);
    return c;
  }
  friend PackMask operator^(const PackMask& a, const PackMask& b) noexcept {
    PackMask c = a;
    onEach([](auto& x, const auto& y) { x ^= y; }, c.bits_, b.bits_);
    return c;
  }
  friend PackMask operator~(const PackMask& a) noexcept {
    PackMask c = a;
    onEach([](auto& x) { x = ~x; }, c.bits_);
    return c;
  }
  friend PackMask select(const PackMask& condition, const PackMask& yes, const PackMask& no) noexcept {
    return (condition & yes) | (~condition & no);
  }
  friend bool any(const PackMask& mask) noexcept {
    HalvesBits halves;
    std::memcpy(&halves, &mask.bits_, sizeof halves);
    halves.low |= halves.high;
#if defined(__SSE2__)
    __m128d quarters[2];
    std::memcpy(quarters, &halves.low, sizeof quarters);
    return _mm_movemask_pd(_mm_or_pd(quarters[0], quarters[1])) != 0;
#else
    return (halves.low[0] | halves.low[1] | halves.low[2] | halves.low[3]) != 0;
#endif
  }

  auto& bits() noexcept { return bits_; }
  const auto& bits() const noexcept { return bits_; }

 private:
  decltype(bitsOf(Registers{})) bits_;
};

/// Eight doubles as a number of the laws' vocabulary (real.hpp): every lane has the bits that `double` gives.
class Pack {
 public:
  Pack() noexcept { kernels::clear(lanes_); }
  Pack(double all) noexcept {  // NOLINT: numbers mix with packs as they do with doubles
    fill(lanes_, all);
  }
  Pack(const Pack& other) noexcept : lanes_(other.lanes_) {}
  Pack& operator=(const Pack& other) noexcept {
    lanes_ = other.lanes_;
    return *this;
  }
  explicit Pack(const Eight& from) noexcept { kernels::load(lanes_, from.lane); }
  void store(Eight& to) const noexcept { kernels::store(to.lane, lanes_); }

  friend Pack operator+(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    kernels::add(c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator-(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    kernels::subtract(c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator*(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    kernels::multiply(c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator/(const Pack& a, const Pack& b) noexcept {
    Pack c = a;
    onEach([](auto& x, const auto& y) { x /= y; }, c.lanes_, b.lanes_);
    return c;
  }
  friend Pack operator-(const Pack& a) noexcept {
    Pack c = a;
    onEach([](auto& x) { x = -x; }, c.lanes_);
    return c;
  }
  friend PackMask operator>(const Pack& a, const Pack& b) noexcept {
    PackMask mask;
    onEach([](auto& m, const auto& x, const auto& y) { m = x > y; }, mask.bits(), a.lanes_, b.lanes_);
    return mask;
  }
  friend PackMask operator<(const Pack& a, const Pack& b) noexcept { return b > a; }
  friend PackMask operator>=(const Pack& a, const Pack& b) noexcept {
    PackMask mask;
    onEach([](auto& m, const auto& x, const auto& y) { m = x >= y; }, mask.bits(), a.lanes_, b.lanes_);
    return mask;
  }
  friend PackMask operator==(const Pack& a, const Pack& b) noexcept {
    PackMask mask;
    onEach([](auto& m, const auto& x, const auto& y) { m = x == y; }, mask.bits(), a.lanes_, b.lanes_);
    return mask;
  }
  friend Pack select(const PackMask& condition, const Pack& yes, const Pack& no) noexcept {
    Pack c = yes;
    onEach([](auto& x, const auto& m, const auto& y) { x = m ? x : y; }, c.lanes_, condition.bits(),
           no.lanes_);
    return c;
  }
  friend Pack sqrt(const Pack& a) noexcept {
    Eight lanes;
    a.store(lanes);
#if defined(__SSE2__)
    for (std::size_t i = 0; i < kWidth; i += 2)
      _mm_store_pd(lanes.lane + i, _mm_sqrt_pd(_mm_load_pd(lanes.lane + i)));
#else
    for (double& lane : lanes.lane) lane = std::sqrt(lane);
#endif
    return Pack(lanes);
  }
  /// 1 with the sign of a.
  friend Pack signOf(const Pack& a) noexcept {
    Eight lanes;
    a.store(lanes);
    for (double& lane : lanes.lane) lane = std::copysign(1.0, lane);
    return Pack(lanes);
  }

 private:
  Registers lanes_;
};

/// With the bits of `unit` on doubles, which needs neither root nor division along one tangent.
inline Tangential<Pack> unit(const Tangential<Pack>& t, const Pack& square) noexcept;

}  // namespace ricochet::batch::RICOCHET_LANES

template <>
struct ricochet::MaskOf<ricochet::batch::RICOCHET_LANES::Pack> {
  using Type = ricochet::batch::RICOCHET_LANES::PackMask;
};
template <>
struct ricochet::ConstantOf<ricochet::batch::RICOCHET_LANES::Pack> {
  using Type = ricochet::batch::RICOCHET_LANES::Pack;
};

inline ricochet::Tangential<ricochet::batch::RICOCHET_LANES::Pack> ricochet::batch::RICOCHET_LANES::unit(
    const Tangential<Pack>& t, const Pack& square) noexcept {
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
