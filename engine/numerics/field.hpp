#pragma once

#include "engine/numerics/description.hpp"

#include <array>
#include <limits>
#include <string_view>

namespace ricochet {

/// One numeric parameter of a law, an obstacle or a scheme, described once: the reader takes its key and
/// range from it, the result file its attribute and unit, the manual its line, the tests an example value.
/// A law of the lanes (engine/lanes) keeps eight values where another keeps one.
template <class T, class Value = double>
struct Field {
  std::string_view name;      ///< key in the deck
  Value T::*member;           ///< where it is kept
  std::string_view unit;      ///< SI unit
  double lowest;              ///< smallest allowed value
  double example;             ///< a sound value, used by tests and the manual
  std::string_view meaning;   ///< one phrase
  Need need{Need::optional};  ///< whether a deck must give it; otherwise that of a T{} holds
  double highest{std::numeric_limits<double>::infinity()};  ///< largest allowed value
};

/// A parameter that is one of two words, or true or false. `key.allowed` lists the words, that of `false`
/// first, or is kTrueFalse.
template <class T, class Value = bool>
struct Choice {
  DeckKey key;
  Value T::*member;
};
inline constexpr std::string_view kTrueFalse = "true, false";

/// The choices of a kind that has some.
template <class T>
constexpr auto choicesOf() {
  if constexpr (requires { T::choices(); })
    return T::choices();
  else
    return std::array<Choice<T>, 0>{};
}

/// The word of a deck for the value of a choice.
constexpr std::string_view wordOf(const DeckKey& key, bool value) {
  const std::string_view all = key.allowed;
  const std::size_t comma = all.find(", ");
  return value == (all == kTrueFalse) ? all.substr(0, comma) : all.substr(comma + 2);
}

/// A T whose fields all hold their example values.
template <class T>
T exampleOf() {
  T value{};
  for (const auto& field : T::fields()) value.*field.member = field.example;
  return value;
}

}  // namespace ricochet
