#pragma once

#include "io/toml/document.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// The document with values replaced, or keys added to its tables: "contacts.stop.obstacle.gap=1e-3", a
/// dotted path as for a parameter of a batch, and a value in TOML. The text of the document is that with the
/// new values. Throws InputError, also for a path without a value.
Document deckWithChanges(Document document, const std::vector<std::string>& changes);
/// The deck of a file with values replaced, or keys added to its tables.
Document loadChangedDeck(const std::filesystem::path& deck, const std::vector<std::string>& changes);

}  // namespace ricochet
