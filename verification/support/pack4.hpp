#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace ricochet::test {

/// A value of type R whose lane i is f(i).
template <class R, class F>
R lanewise(F f) {
  R result;
  for (std::size_t i = 0; i < R::kSize; ++i) result[i] = f(i);
  return result;
}

/// Four doubles as lanes: the simplest arithmetic type of a batch. A law written for `Real` works with this
/// type if it uses `select` instead of branches.
class Pack4 {
 public:
  static constexpr std::size_t kSize = 4;

  /// Result of a comparison for each lane.
  class Mask {
   public:
    static constexpr std::size_t kSize = 4;

    Mask() = default;
    explicit Mask(bool all) { lanes_.fill(all); }
    bool& operator[](std::size_t i) { return lanes_[i]; }
    bool operator[](std::size_t i) const { return lanes_[i]; }
    friend Mask select(const Mask& condition, const Mask& yes, const Mask& no) {
      return lanewise<Mask>([&](std::size_t i) { return condition[i] ? yes[i] : no[i]; });
    }
    friend bool any(const Mask& condition) {
      for (const bool lane : condition.lanes_)
        if (lane) return true;
      return false;
    }

   private:
    std::array<bool, kSize> lanes_{};
  };

  Pack4() = default;
  Pack4(double all) { lanes_.fill(all); }  // NOLINT: numbers mix with packs as they do with doubles
  Pack4(double a, double b, double c, double d) : lanes_{a, b, c, d} {}

  double& operator[](std::size_t i) { return lanes_[i]; }
  double operator[](std::size_t i) const { return lanes_[i]; }

  friend Pack4 operator+(const Pack4& a, const Pack4& b) {
    return lanewise<Pack4>([&](std::size_t i) { return a[i] + b[i]; });
  }
  friend Pack4 operator-(const Pack4& a, const Pack4& b) {
    return lanewise<Pack4>([&](std::size_t i) { return a[i] - b[i]; });
  }
  friend Pack4 operator*(const Pack4& a, const Pack4& b) {
    return lanewise<Pack4>([&](std::size_t i) { return a[i] * b[i]; });
  }
  friend Pack4 operator/(const Pack4& a, const Pack4& b) {
    return lanewise<Pack4>([&](std::size_t i) { return a[i] / b[i]; });
  }
  friend Pack4 operator-(const Pack4& a) {
    return lanewise<Pack4>([&](std::size_t i) { return -a[i]; });
  }
  friend Mask operator>(const Pack4& a, const Pack4& b) {
    return lanewise<Mask>([&](std::size_t i) { return a[i] > b[i]; });
  }
  friend Pack4 pow(const Pack4& a, const Pack4& exponent) {
    return lanewise<Pack4>([&](std::size_t i) { return std::pow(a[i], exponent[i]); });
  }
  friend Pack4 sqrt(const Pack4& a) {
    return lanewise<Pack4>([&](std::size_t i) { return std::sqrt(a[i]); });
  }
  /// Each lane is computed as a double, so that its bits are the same.
  friend Tangential<Pack4> unitVector(const Tangential<Pack4>& t, const Pack4& square) {
    Tangential<Pack4> direction;
    for (std::size_t i = 0; i < 4; ++i) {
      const Tangential<double> lane =
          ricochet::unitVector(Tangential<double>{t.first[i], t.second[i]}, square[i]);
      direction.first[i] = lane.first;
      direction.second[i] = lane.second;
    }
    return direction;
  }
  friend Pack4 select(const Mask& condition, const Pack4& yes, const Pack4& no) {
    return lanewise<Pack4>([&](std::size_t i) { return condition[i] ? yes[i] : no[i]; });
  }

 private:
  std::array<double, kSize> lanes_{};
};

}  // namespace ricochet::test

template <>
struct ricochet::MaskOf<ricochet::test::Pack4> {
  using Type = ricochet::test::Pack4::Mask;
};
