#pragma once

#include "io/app/manual/law_page.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// JSON Schema (draft 7) of a deck, made from the pages of the manual: editors complete and check decks by
/// it. It knows keys, kinds of values, words and bounds of numbers; what depends on other keys only the
/// program knows.
std::string deckSchema();

/// Kinds of values that a key takes, in words of JSON Schema: "number", "integer", "string", "boolean",
/// "array", "object". They follow from the example and from what the meaning says: "a number or a function",
/// "an integer".
std::vector<std::string_view> valueKindsOf(const PageKey& key);

}  // namespace ricochet
