#pragma once

#include "io/app/manual/law_page.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ricochet {

struct Deck;

/// A key and its value, as a deck has them.
using Assignment = std::pair<std::string, std::string>;

/// What a deck must say to have a law as its page describes it: the keys that are shown.
std::vector<Assignment> assignmentsOf(const LawPage& page);

/// The same with one more key, what it needs beside it, and without what it replaces.
std::vector<Assignment> assignmentsWith(const LawPage& page, const PageKey& key);

/// The part of a deck that has the law: a [[contacts]], a [[links]] or a [transient], and tables that it
/// names.
std::string snippetOf(const LawPage& page, const std::vector<Assignment>& assignments,
                      const std::string& tables = {});
std::string snippetOf(const LawPage& page);

/// A whole deck around a snippet: a body at the origin with all six dofs, a support called "wall".
std::string deckAround(const std::string& snippet);

/// The study of such a deck. Throws InputError.
Deck studyAround(const std::string& snippet);

}  // namespace ricochet
