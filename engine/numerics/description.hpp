#pragma once

#include "engine/numerics/type_list.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace ricochet {

/// Rule that decides whether a deck must give a key.
enum class Need : unsigned char {
  optional,  ///< the key may be absent: the default is then valid
  required,  ///< the key is required, at least its lowest value
  positive,  ///< the key is required, above its lowest value
  /// All such keys of a law or scheme are given together, above their lowest values, or none of them is
  /// given.
  together
};

/// A key of a deck that is not a single number of a law or scheme (numbers are its `numericParameters()`): a
/// list, a word, or a number that replaces another key. A key with the name of a field adds text to the
/// manual page of this field.
struct DeckKey {
  std::string_view name;        ///< "velocity_law.speeds" lies in a sub-table
  std::string_view unit;        ///< SI unit, "-" for words and dimensionless numbers
  std::string_view example;     ///< example value as written in a deck
  Need need{Need::optional};    ///< required or optional
  std::string_view meaning;     ///< meaning in one phrase
  std::string_view allowed{};   ///< for words: all allowed words; for numbers: the range
  std::string_view fallback{};  ///< value if the key is absent
  std::string_view instead{};   ///< names of keys that this key replaces, separated by spaces
  std::string_view with{};      ///< further assignments that the example needs, separated by ";"
  std::string_view tables{};    ///< tables of the deck to which the example refers
  bool ofContact{false};  ///< true if the key belongs to [[contacts]] itself, not to the table of the law

  /// Creates an optional key; further properties are added as in optional(..).required().allows("> 0").
  static constexpr DeckKey optional(std::string_view name, std::string_view unit, std::string_view example,
                                    std::string_view meaning) {
    return {.name = name, .unit = unit, .example = example, .meaning = meaning};
  }
  constexpr DeckKey required() const {
    DeckKey key = *this;
    key.need = Need::required;
    return key;
  }
  constexpr DeckKey allows(std::string_view values) const { return withProperty(&DeckKey::allowed, values); }
  constexpr DeckKey defaultsTo(std::string_view value) const {
    return withProperty(&DeckKey::fallback, value);
  }
  constexpr DeckKey insteadOf(std::string_view keys) const { return withProperty(&DeckKey::instead, keys); }
  constexpr DeckKey givenWith(std::string_view keys) const { return withProperty(&DeckKey::with, keys); }
  constexpr DeckKey refersToTables(std::string_view text) const {
    return withProperty(&DeckKey::tables, text);
  }

 private:
  constexpr DeckKey withProperty(std::string_view DeckKey::*part, std::string_view value) const {
    DeckKey key = *this;
    key.*part = value;
    return key;
  }
};

/// Description of a law, obstacle or scheme for deck reader, results, manual and tests: the keyword in decks,
/// a title, the formula in plain text (with the symbols that are not parameters) and the source. Optional
/// members are
///     numericParameters()         its parameters
///     deckKeys()       its other keys
///     kChosenByKeys    no keyword in the deck: the given keys select the law
template <class T>
concept Described = requires {
  requires !std::string_view(T::keyword).empty();
  requires !std::string_view(T::title).empty();
  requires !std::string_view(T::formula).empty();
  requires !std::string_view(T::source).empty();
};

namespace detail {

template <std::size_t n>
constexpr bool areNamesDistinct(const std::array<std::string_view, n>& names) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) return false;
  return true;
}

template <Described... Ts>
struct Catalogue {
  static_assert(areNamesDistinct(std::array{std::string_view(Ts::keyword)...}), "two kinds have one keyword");
  static_assert(areNamesDistinct(std::array{std::string_view(Ts::title)...}),
                "two kinds have one title: is one inherited?");
  using List = TypeList<Ts...>;
};

}  // namespace detail

/// A list of types that describe themselves; a type without a manual page does not compile.
template <class... Ts>
using DescribedList = typename detail::Catalogue<Ts...>::List;

/// True if a deck selects the type by its keyword.
template <class T>
inline constexpr bool kNamedInDeck = !requires {
  requires T::kChosenByKeys;
};

/// Deck keys of a type in addition to its fields.
template <class T>
constexpr auto deckKeysOf() {
  if constexpr (requires { T::deckKeys(); })
    return T::deckKeys();
  else
    return std::array<DeckKey, 0>{};
}

}  // namespace ricochet
