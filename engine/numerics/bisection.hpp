#pragma once

#include <bit>
#include <cstdint>

namespace ricochet {

/// Numbers as whole numbers of the same order, so that halving an interval of them also halves powers of ten:
/// 64 halvings lead from any interval to two neighbours.
inline std::uint64_t orderedInteger(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
inline double numberAt(std::uint64_t order) noexcept {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((order & kSign) != 0 ? order & ~kSign : ~order);
}

/// The number half way between two numbers in this order, low < high; `low` for neighbours.
inline double middleInOrder(double low, double high) noexcept {
  const std::uint64_t a = orderedInteger(low);
  return numberAt(a + (orderedInteger(high) - a) / 2);
}

/// Root of a function that grows from below zero at `low` to above zero at `high`, to the last bit.
template <class F>
double rootBetween(double low, double high, F&& f) noexcept {
  for (;;) {
    const double middle = middleInOrder(low, high);
    if (!(middle > low)) return high;
    (f(middle) < 0.0 ? low : high) = middle;
  }
}

}  // namespace ricochet
