#pragma once

#include "engine/numerics/type_list.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace ricochet {

/// Whether a deck must give a key.
enum class Need : unsigned char {
  optional,  ///< without it the default holds
  required,  ///< at least its lowest value
  positive,  ///< required, and above its lowest value
  together   ///< the kind's keys that need this are given together, above their lowest values, or not at all
};

/// A key of a deck that is not just one number of a kind (those are its `fields()`): a list, a word, a number
/// that stands instead of another one. One with the name of a field tells the page what the field does not.
struct DeckKey {
  std::string_view name;        ///< "velocity_law.speeds" is in a table of the kind's own
  std::string_view unit;        ///< SI unit, "-" for words and pure numbers
  std::string_view example;     ///< as a deck has it
  Need need{Need::optional};    ///< required or optional
  std::string_view meaning;     ///< one phrase
  std::string_view allowed{};   ///< words: all of them; numbers: the range
  std::string_view fallback{};  ///< what holds without it
  std::string_view instead{};   ///< keys that it replaces, separated by spaces
  std::string_view with{};      ///< assignments that the example needs beside it, separated by ";"
  std::string_view tables{};    ///< tables of the deck that the example names
  bool ofContact{false};        ///< it stands in [[contacts]] itself, not in the table of the kind

  /// An optional key; what follows says more of it: of(..).required().allows("> 0").
  static constexpr DeckKey of(std::string_view name, std::string_view unit, std::string_view example,
                              std::string_view meaning) {
    return {.name = name, .unit = unit, .example = example, .meaning = meaning};
  }
  constexpr DeckKey required() const {
    DeckKey key = *this;
    key.need = Need::required;
    return key;
  }
  constexpr DeckKey allows(std::string_view values) const { return changed(&DeckKey::allowed, values); }
  constexpr DeckKey otherwise(std::string_view value) const { return changed(&DeckKey::fallback, value); }
  constexpr DeckKey insteadOf(std::string_view keys) const { return changed(&DeckKey::instead, keys); }
  constexpr DeckKey beside(std::string_view keys) const { return changed(&DeckKey::with, keys); }
  constexpr DeckKey fromTables(std::string_view text) const { return changed(&DeckKey::tables, text); }

 private:
  constexpr DeckKey changed(std::string_view DeckKey::*part, std::string_view value) const {
    DeckKey key = *this;
    key.*part = value;
    return key;
  }
};

/// What reader, result, manual and tests need to know of a kind: the key word of the deck, a title, the
/// formula in plain text (symbols that are no parameters are explained there) and the source. Beside that it
/// may have
///     fields()         its parameters
///     deckKeys()       its other keys
///     kChosenByKeys    a deck does not name it: its keys tell it from the others
template <class T>
concept Described = requires {
  requires !std::string_view(T::keyword).empty();
  requires !std::string_view(T::title).empty();
  requires !std::string_view(T::formula).empty();
  requires !std::string_view(T::source).empty();
};

namespace detail {

template <std::size_t n>
constexpr bool areDistinct(const std::array<std::string_view, n>& names) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) return false;
  return true;
}

template <Described... Ts>
struct Catalogue {
  static_assert(areDistinct(std::array{std::string_view(Ts::keyword)...}), "two kinds have one keyword");
  static_assert(areDistinct(std::array{std::string_view(Ts::title)...}),
                "two kinds have one title: is one inherited?");
  using List = TypeList<Ts...>;
};

}  // namespace detail

/// A list of kinds that describe themselves: what has no page in the manual does not compile.
template <class... Ts>
using DescribedList = typename detail::Catalogue<Ts...>::List;

/// Whether a deck names a kind by its keyword.
template <class T>
inline constexpr bool kNamedInDeck = !requires {
  requires T::kChosenByKeys;
};

/// Keys of a kind beside its fields.
template <class T>
constexpr auto deckKeysOf() {
  if constexpr (requires { T::deckKeys(); })
    return T::deckKeys();
  else
    return std::array<DeckKey, 0>{};
}

}  // namespace ricochet
