#pragma once

#include "io/deck/deck.hpp"
#include "io/toml/document.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// A deck in Python: its study, and its text, from which its variants are read.
struct PythonDeck {
  Deck deck;
  Document document;

  /// Reads a deck with values replaced. Throws InputError.
  PythonDeck(const std::filesystem::path& file, Document text, const std::vector<std::string>& changes);

  /// Throws InputError if the deck does not request a run.
  void requireTransientRun() const;
};

}  // namespace ricochet
