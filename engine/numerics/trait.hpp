#pragma once

#include "engine/numerics/type_list.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <utility>
#include <variant>

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

/// Traits of the kind that a variant holds.
template <class... Ts>
const auto& traitsOf(const std::variant<Ts...>& any) noexcept {
  return std::visit(
      [](const auto& kind) -> const auto& { return kind.traits; }, any);
}

/// Whether each kind of a list answers for itself: none inherits the traits of another one.
template <class... Ts>
consteval bool haveOwnTraits(TypeList<Ts...> /*list*/) {
  const std::array<const void*, sizeof...(Ts)> traits{&Ts::traits...};
  for (std::size_t i = 0; i < traits.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (traits[i] == traits[j]) return false;
  return true;
}

}  // namespace ricochet
