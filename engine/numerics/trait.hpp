#pragma once

#include "engine/numerics/type_list.hpp"

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace ricochet {

/// A mandatory member of a struct of traits: without a value for every such member, a law, an obstacle or a
/// scheme does not compile.
template <class T>
struct Trait {
  T value;
  template <std::convertible_to<T> U>
  constexpr Trait(U&& answer) : value(std::forward<U>(answer)) {}  // NOLINT: implicit on purpose
  constexpr operator T() const noexcept { return value; }          // NOLINT: implicit on purpose
};

/// Traits of the law that a variant holds.
template <class... Ts>
const auto& traitsOf(const std::variant<Ts...>& any) noexcept {
  return std::visit(
      [](const auto& kind) -> const auto& { return kind.traits; }, any);
}

/// Names a traits object as a type: under UBSan, GCC does not compare addresses in a constant expression.
template <const auto& Traits>
struct AnswersOf {};

/// True if each type of a list defines its own traits (inherited traits do not count).
consteval bool doesEachTypeDefineTraits(TypeList<> /*list*/) { return true; }
template <class First, class... Rest>
consteval bool doesEachTypeDefineTraits(TypeList<First, Rest...> /*list*/) {
  const bool isOwn = (... && !std::is_same_v<AnswersOf<First::traits>, AnswersOf<Rest::traits>>);
  return isOwn && doesEachTypeDefineTraits(TypeList<Rest...>{});
}

}  // namespace ricochet
