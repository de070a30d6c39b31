#pragma once

#include <bit>
#include <cstdint>

namespace ricochet {

/// Maps floating-point numbers to integers of the same order. Halving an interval of these integers also
/// halves powers of ten: 64 halvings lead from any interval to two neighbouring numbers.
inline std::uint64_t orderPreservingIntegerOfNumber(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
inline double floatingPointNumberOfOrderedInteger(std::uint64_t order) noexcept {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((order & kSign) != 0 ? order & ~kSign : ~order);
}

/// Number at the middle of low < high in the order of `orderPreservingIntegerOfNumber`; `low` if both are
/// neighbours.
inline double middleFloatingPointNumber(double low, double high) noexcept {
  const std::uint64_t a = orderPreservingIntegerOfNumber(low);
  return floatingPointNumberOfOrderedInteger(a + (orderPreservingIntegerOfNumber(high) - a) / 2);
}

/// Root, to the last bit, of a function that is negative at `low` and positive at `high` and increases
/// between both.
template <class F>
double rootByBisection(double low, double high, F&& f) noexcept {
  for (;;) {
    const double middle = middleFloatingPointNumber(low, high);
    if (!(middle > low)) return high;
    (f(middle) < 0.0 ? low : high) = middle;
  }
}

}  // namespace ricochet
