#pragma once

#include "engine/numerics/field.hpp"
#include "io/toml/section.hpp"

#include <cassert>
#include <cmath>
#include <string_view>

namespace ricochet {

/// Allowed values of a parameter.
template <class T, class Value>
Range allowedRange(const Field<T, Value>& field) {
  Range range = field.isLowestExcluded() ? rangeAbove(field.lowest, field.unit)
                                         : rangeAtLeast(field.lowest, field.unit);
  if (std::isfinite(field.highest)) range.highest = field.highest;
  range.example = field.example;
  return range;
}

/// Allowed values of one parameter of T.
template <class T>
Range allowedRange(std::string_view name) {
  for (const auto& field : T::numericParameters())
    if (field.name == name) return allowedRange(field);
  assert(false && "no such field");
  return {};
}

/// Reads the two-valued parameters of `kind` (its choices); the default is the value in a default-constructed
/// kind.
template <class T>
void readChoices(const Section& section, T& kind) {
  for (const auto& choice : choiceParametersOf<T>()) {
    bool& value = kind.*choice.member;
    const DeckKey& key = choice.key;
    value = key.allowed == kTrueFalse
                ? section.boolean(key.name, value)
                : section.choice(key.name, deckWordOfChoice(key, value),
                                 {deckWordOfChoice(key, false), deckWordOfChoice(key, true)}) ==
                      deckWordOfChoice(key, true);
  }
}

/// Reads the parameters of `kind` by their keys. Optional parameters default to the value of a
/// default-constructed kind; used defaults are reported.
template <class T>
void readFields(const Section& section, T& kind) {
  bool together = false;
  for (const auto& field : T::numericParameters())
    together = together || (field.need == Need::together && section.hasKey(field.name));
  for (const auto& field : T::numericParameters()) {
    double& value = kind.*field.member;
    const bool needed = field.need == Need::together ? together : field.need != Need::optional;
    if (needed)
      value = section.number(field.name, kRequired, allowedRange(field));
    else
      value = section.number(field.name, value, allowedRange(field));
  }
  readChoices(section, kind);
}

}  // namespace ricochet
