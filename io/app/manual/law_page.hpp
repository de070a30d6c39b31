#pragma once

#include "engine/numerics/description.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// What a page of the manual is about.
enum class LawKind : unsigned char { obstacle, normal, friction, wear, link, scheme };

/// "obstacle", "normal law", ...; and the short word that files begin with.
std::string_view titleOf(LawKind kind) noexcept;
std::string_view wordOf(LawKind kind) noexcept;

/// A key of a deck as a page shows it.
struct PageKey {
  std::string name;      ///< "patch.radius" is in a table of the law's own
  std::string unit;      ///< "-" for words and pure numbers
  std::string example;   ///< as a deck has it
  std::string fallback;  ///< what holds without it; empty where it is required or replaced
  std::string allowed;
  std::string meaning;
  Need need{Need::optional};
  bool shown{false};  ///< the snippet has it
  std::string instead, with, tables;
  bool ofContact{false};
};
PageKey pageKey(const DeckKey& key);

/// The page of a law, an obstacle or a scheme: all that it says of itself.
struct LawPage {
  LawKind kind{LawKind::normal};
  std::string keyword, title, formula, source;
  int order{0};         ///< of a scheme
  bool hasGap{true};    ///< of an obstacle
  bool imposed{false};  ///< of a normal law
  std::vector<PageKey> keys;

  std::string name() const;  ///< "normal-hertz", of its files
};

/// The pages of everything that is listed: obstacles, normal laws, friction laws, wear laws, links,
/// schemes.
const std::vector<LawPage>& manualPages();

/// A number as a deck has it: "1e8".
std::string deckNumber(double value);

}  // namespace ricochet
