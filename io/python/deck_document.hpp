#pragma once

#include "io/deck/deck.hpp"
#include "io/toml/document.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// A deck as Python holds it: what it says, and its text, from which variants of it are read.
struct PythonDeck {
  Deck deck;
  Document document;

  /// Reads a deck with values replaced. Throws InputError.
  PythonDeck(const std::filesystem::path& file, Document text, const std::vector<std::string>& changes);

  /// Throws InputError if the deck asks for no run.
  void requireRun() const;
};

}  // namespace ricochet
