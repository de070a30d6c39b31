#pragma once

#include "engine/field.hpp"
#include "io/section.hpp"

#include <cassert>
#include <string_view>

namespace ricochet {

/// How the parameters that a kind describes in its `fields()` stand in a deck. Those that are not named here
/// may be absent: the value of a default-constructed kind is then taken, and reported.
struct FieldRules {
  NameList required{};
  NameList positive{};  ///< required, and above their lowest value
};

/// Allowed values of one parameter of T.
template <class T>
Range rangeOf(std::string_view name) {
  for (const auto& field : T::fields())
    if (field.name == name) return atLeast(field.lowest, field.unit);
  assert(false && "no such field");
  return {};
}

/// Reads the parameters of `kind` by their own keys.
template <class T>
void readFields(const Section& section, T& kind, const FieldRules& rules) {
  for (const auto& field : T::fields()) {
    double& value = kind.*field.member;
    if (rules.positive.contains(field.name))
      value = section.number(field.name, kRequired, above(field.lowest, field.unit));
    else if (rules.required.contains(field.name))
      value = section.number(field.name, kRequired, atLeast(field.lowest, field.unit));
    else
      value = section.number(field.name, value, atLeast(field.lowest, field.unit));
  }
}

}  // namespace ricochet
