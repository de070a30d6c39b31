#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace ricochet::cross {

/// Random numbers that are the same with every standard library.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t index) : engine_(seed * 0x9E3779B97F4A7C15ULL + index) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
  }
  /// Uniformly distributed number with `digits` decimals, so that decks stay readable.
  double decimal(double low, double high, int digits) {
    const double unit = std::pow(10.0, digits);
    return std::round(uniform(low, high) * unit) / unit;
  }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[static_cast<std::ptrdiff_t>(engine_() % values.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ricochet::cross
