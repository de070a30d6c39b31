#pragma once

#include "io/toml/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// The number of a deck that a dotted path leads to: "contacts.sole.friction.dynamic", "masses.0.mass",
/// "functions.pull.values.0". An entry of an array of tables goes by its `name` or by its index from 0. Null
/// if there is no number.
const InputValue* findNumber(const Document& document, std::string_view path);
InputValue* findNumber(Document& document, std::string_view path);

/// Paths of all numbers of a deck that a batch may change.
std::vector<std::string> numericPaths(const Document& document);

/// What is wrong with a path that leads to no number, with the nearest ones that do.
std::string noSuchNumber(const Document& document, std::string_view path);

/// Puts a number where the path leads. A whole number stays one if the deck has one there.
void setNumber(InputValue& place, double value);

}  // namespace ricochet
