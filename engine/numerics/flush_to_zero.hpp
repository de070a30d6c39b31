#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace ricochet {

/// While the object exists, subnormal results and operands on this thread count as zero. The decaying motion
/// of a structure reaches subnormal numbers, on which a step takes some 75 times longer; their values are
/// below 1e-307.
class FlushToZero {
 public:
  FlushToZero() noexcept : before_(readControlWord()) { writeControlWord(before_ | kFlush); }
  ~FlushToZero() { writeControlWord(before_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

#if defined(__SSE__)
  using Word = unsigned int;
  static constexpr Word kFlush = 0x8040U;  // MXCSR: flush to zero (bit 15), denormals are zero (bit 6)
  static Word readControlWord() noexcept { return _mm_getcsr(); }
  static void writeControlWord(Word word) noexcept { _mm_setcsr(word); }
#elif defined(__aarch64__)
  using Word = unsigned long;
  static constexpr Word kFlush = 1UL << 24U;  // FPCR.FZ: flush to zero (bit 24)
  static Word readControlWord() noexcept {
    Word word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void writeControlWord(Word word) noexcept { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
  using Word = int;
  static constexpr Word kFlush =
      0;  // unknown processor: results are correct, perhaps slow for decayed motion
  static Word readControlWord() noexcept { return 0; }
  static void writeControlWord(Word) noexcept {}
#endif

 private:
  Word before_;
};

}  // namespace ricochet
