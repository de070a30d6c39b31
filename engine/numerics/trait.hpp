#pragma once

#include "engine/numerics/type_list.hpp"

#include <concepts>
#include <type_traits>
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

/// A type for each object of traits. (GCC compares addresses in no constant expression under UBSan.)
template <const auto& Traits>
struct AnswersOf {};

/// Whether each kind of a list answers for itself: none inherits the traits of another one.
consteval bool haveOwnTraits(TypeList<> /*list*/) { return true; }
template <class First, class... Rest>
consteval bool haveOwnTraits(TypeList<First, Rest...> /*list*/) {
  const bool isOwn = (... && !std::is_same_v<AnswersOf<First::traits>, AnswersOf<Rest::traits>>);
  return isOwn && haveOwnTraits(TypeList<Rest...>{});
}

}  // namespace ricochet
