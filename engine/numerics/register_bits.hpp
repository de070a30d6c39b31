#pragma once

#include "engine/numerics/kernel_dispatch.hpp"

#include <cstring>

// Bit operations on lanes that not every processor offers as arithmetic.

namespace ricochet::kernels {

using Bits16 = long long __attribute__((vector_size(16)));
using Bits32 = long long __attribute__((vector_size(32)));
using Bits64 = long long __attribute__((vector_size(64)));

/// Integers of the same width as the lanes of a register.
template <class R>
struct BitsOf;
template <>
struct BitsOf<Register16> {
  using Type = Bits16;
};
template <>
struct BitsOf<Register32> {
  using Type = Bits32;
};
template <>
struct BitsOf<Register64> {
  using Type = Bits64;
};

template <class To, class From>
RICOCHET_INLINE void copyObjectBits(To& to, const From& from) noexcept {
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
}

/// Absolute value of each lane, x = |x|.
template <class R>
RICOCHET_INLINE void clearSignBit(R& x) noexcept {
  typename BitsOf<R>::Type bits;
  copyObjectBits(bits, x);
  bits &= 0x7fffffffffffffffLL;
  copyObjectBits(x, bits);
}
RICOCHET_INLINE void replaceLanesByAbsoluteValues(Full& x) noexcept { clearSignBit(x.all); }
RICOCHET_INLINE void replaceLanesByAbsoluteValues(Halves& x) noexcept {
  clearSignBit(x.low);
  clearSignBit(x.high);
}

}  // namespace ricochet::kernels
