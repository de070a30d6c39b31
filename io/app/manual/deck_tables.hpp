#pragma once

#include "engine/numerics/description.hpp"

#include <string_view>
#include <vector>

namespace ricochet {

/// A table of the deck that is no law, obstacle or scheme, described for the manual and the schema of decks.
/// Tests hold the descriptions against the reader of decks: keys, ranges, words, defaults and kinds of
/// values.
struct DeckTable {
  std::string_view keyword;  ///< "base_motions"
  std::string_view head;     ///< "[[base_motions]]", "[gravity]" or, of a free name, "[materials.steel]"
  std::string_view title, formula, source;
  std::string_view around{};  ///< other tables that the example needs
  std::vector<DeckKey> keys;

  bool isList() const noexcept { return head.starts_with("[["); }
  bool isNamed() const noexcept { return !isList() && head.find('.') != std::string_view::npos; }
};

/// Tables of the structure: nodes, masses, beams, supports and the tables to which they refer.
std::vector<DeckTable> structureDeckTables();

/// Tables of basis, functions, loads, motions, initial state and contacts.
std::vector<DeckTable> studyDeckTables();

/// Tables of a run: time, output, statistics, batch, checks.
std::vector<DeckTable> runDeckTables();

}  // namespace ricochet
