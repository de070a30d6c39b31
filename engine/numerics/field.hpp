#pragma once

#include "engine/numerics/description.hpp"

#include <array>
#include <limits>
#include <string_view>

namespace ricochet {

/// A numeric parameter of a law, an obstacle or a scheme, described once: the deck reader uses key and range,
/// the result file attribute and unit, the manual a line, and the tests the example value. A law of the lanes
/// (engine/lanes) has eight values per parameter.
template <class T, class Value = double>
struct Field {
  std::string_view name;      ///< key in the deck
  Value T::*member;           ///< member that stores the parameter
  std::string_view unit;      ///< SI unit
  double lowest;              ///< smallest allowed value
  double example;             ///< typical value, for tests and the manual
  std::string_view meaning;   ///< meaning in one phrase
  Need need{Need::optional};  ///< rule for the key in a deck; an absent key keeps the value of T{}
  double highest{std::numeric_limits<double>::infinity()};  ///< largest allowed value

  /// True if the lowest value itself is not allowed.
  constexpr bool isLowestExcluded() const { return need == Need::positive || need == Need::together; }
};

/// A parameter with two words as values, or with true and false. `key.allowed` lists the two words, the word
/// for `false` first, or is kTrueFalse.
template <class T, class Value = bool>
struct Choice {
  DeckKey key;
  Value T::*member;
};
inline constexpr std::string_view kTrueFalse = "true, false";

/// Two-valued parameters of a type that has such parameters.
template <class T>
constexpr auto choiceParametersOf() {
  if constexpr (requires { T::choiceParameters(); })
    return T::choiceParameters();
  else
    return std::array<Choice<T>, 0>{};
}

/// Word in a deck for a value of a two-valued parameter.
constexpr std::string_view deckWordOfChoice(const DeckKey& key, bool value) {
  const std::string_view all = key.allowed;
  const std::size_t comma = all.find(", ");
  return value == (all == kTrueFalse) ? all.substr(0, comma) : all.substr(comma + 2);
}

/// Object of type T whose fields have their example values.
template <class T>
T exampleOfType() {
  T value{};
  for (const auto& field : T::numericParameters()) value.*field.member = field.example;
  return value;
}

}  // namespace ricochet
