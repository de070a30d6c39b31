#pragma once

#include "io/app/manual/law_page.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ricochet {

struct Deck;

/// A key and its value in the syntax of a deck.
using Assignment = std::pair<std::string, std::string>;

/// The keys and values that a deck needs for the law of a page: the keys with `shown`.
std::vector<Assignment> assignmentsOfPage(const LawPage& page);

/// The given assignments with one more key and the keys that this key requires, without the keys that it
/// replaces.
std::vector<Assignment> assignmentsWithKey(const LawPage& page, const PageKey& key);

/// The part of a deck with the law: a [[contacts]], a [[links]] or a [transient], and the tables named there.
std::string deckSnippetOf(const LawPage& page, const std::vector<Assignment>& assignments,
                          const std::string& tables = {});
std::string deckSnippetOf(const LawPage& page);

/// A complete deck around a snippet: a body at the origin with all six dofs, a support called "wall".
std::string deckWithSnippet(const std::string& snippet);

/// Builds a complete study around the snippet (minimal model). Throws InputError.
Deck studyWithSnippet(const std::string& snippet);

}  // namespace ricochet
