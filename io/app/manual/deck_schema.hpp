#pragma once

#include "io/app/manual/law_page.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// JSON Schema (draft 7) of a deck, made from the pages of the manual: editors use the schema to complete and
/// check decks. It contains keys, kinds of values, words and bounds of numbers; only the program checks
/// conditions that involve several keys.
std::string deckSchema();

/// Kinds of values that a key takes, in words of JSON Schema: "number", "integer", "string", "boolean",
/// "array", "object". The kinds follow from the example and from the text of the meaning: "a number or a
/// function", "an integer".
std::vector<std::string_view> valueKindsOfKey(const PageKey& key);

}  // namespace ricochet
