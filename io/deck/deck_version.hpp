#pragma once

#include "io/toml/document.hpp"

#include <string>
#include <vector>

namespace ricochet {

class Section;

/// Version of the keys of decks. The version increases when a key or a word gets another name or meaning; a
/// new key does not change the version.
inline constexpr int kDeckVersion = 1;

/// Reads `version` of a deck; a version later than that of this program is a problem. Decks of all earlier
/// programs have no version.
void readDeckVersion(const Section& root);

/// A deck that was brought up to kDeckVersion.
struct UpgradedDeck {
  Document document;
  std::vector<std::string> changes;  ///< "beams[0].mass: ..."; empty if the deck had this version
};

/// Replaces the keys and words renamed since the version of the deck by their new names, and `version` by the
/// present one; the rest of the text is unchanged byte for byte. Throws InputError for an unknown version.
UpgradedDeck upgradedDeck(Document document);

}  // namespace ricochet
