#pragma once

#include <concepts>
#include <utility>

namespace ricochet {

/// An answer that a law, an obstacle or a scheme has to give of itself: a struct of traits in which one is
/// left out does not compile.
template <class T>
struct Trait {
  T value;
  template <std::convertible_to<T> U>
  constexpr Trait(U&& answer) : value(std::forward<U>(answer)) {}  // NOLINT: it is written as the value
  constexpr operator T() const noexcept { return value; }          // NOLINT: and read as such
};

}  // namespace ricochet
