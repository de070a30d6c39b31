#pragma once

#include "io/toml/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Number of a deck at a dotted path: "contacts.sole.friction.dynamic", "masses.0.mass",
/// "functions.pull.values.0". The path names an entry of an array of tables by its `name` or by its index
/// from 0. Null if there is no number.
const InputValue* findNumericValue(const Document& document, std::string_view path);
InputValue* findNumericValue(Document& document, std::string_view path);

/// Value of a deck at a dotted path: also a table in braces, but none under a header; null if there is none.
const InputValue* findValueAtPath(const Document& document, std::string_view path);

/// Paths of all numbers of a deck that a batch can change.
std::vector<std::string> numericPaths(const Document& document);

/// Message for a path without a number, with the most similar valid paths.
std::string describeMissingNumber(const Document& document, std::string_view path);

/// The table at a dotted path; null if there is none.
const InputValue* findTableAtPath(const Document& document, std::string_view path);

/// The table or list of tables at a dotted path; null if there is none.
const InputValue* findTableOrListAtPath(const Document& document, std::string_view path);

/// Message for a path without a value, with the most similar valid paths.
std::string describeMissingValue(const Document& document, std::string_view path);

/// Writes a number at this place. A whole number stays an integer if the deck has an integer there.
void replaceNumberInDeck(InputValue& place, double value);

}  // namespace ricochet
