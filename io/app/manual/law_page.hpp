#pragma once

#include "engine/numerics/description.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Subject of a page of the manual.
enum class LawKind : unsigned char { obstacle, normal, friction, wear, link, scheme, table };

/// Title "obstacle", "normal law", ...; and the short word with which file names begin.
std::string_view titleOfLawKind(LawKind kind) noexcept;
std::string_view wordOfLawKind(LawKind kind) noexcept;

/// A key of a deck, as described on a page.
struct PageKey {
  std::string name;      ///< name; "patch.radius" is a key of the table `patch` of the law
  std::string unit;      ///< unit; "-" for words and pure numbers
  std::string example;   ///< example value in the syntax of a deck
  std::string fallback;  ///< default value; empty if the key is required or another key replaces it
  std::string allowed;
  std::string meaning;
  Need need{Need::optional};
  bool shown{false};  ///< true: the snippet contains the key
  std::string instead, with, tables;
  bool ofContact{false};
};
PageKey pageKey(const DeckKey& key);

/// The page of a law, an obstacle or a scheme, with the data that the law itself provides, or of another
/// table of the deck (deck_tables.hpp).
struct LawPage {
  LawKind kind{LawKind::normal};
  std::string keyword, title, formula, source;
  int order{0};         ///< order of a scheme
  bool hasGap{true};    ///< true for an obstacle with a gap
  bool imposed{false};  ///< true for a normal law with an imposed force
  std::string head;     ///< header of a table: "[[nodes]]"
  std::string around;   ///< other tables that the example of a table needs
  std::vector<PageKey> keys;

  std::string name() const;  ///< name of its files, "normal-hertz"
};

/// The pages of all tables, obstacles, normal laws, friction laws, wear laws, links and schemes.
const std::vector<LawPage>& manualPages();

/// Text of a number in the syntax of a deck: "1e8".
std::string deckNumber(double value);

}  // namespace ricochet
