#pragma once

#include "io/app/manual/law_page.hpp"
#include "verification/cross_check/laws/part_model.hpp"
#include "verification/cross_check/random.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet::cross {

/// A law with random parameters, from its page of the manual: the examples times random factors, within the
/// allowed ranges, and some of the optional keys.
struct DrawnLaw {
  std::vector<Entry> entries;
  std::string tables;
  const LawPage* page{nullptr};

  const std::string* find(const std::string& key) const;
  void set(const std::string& key, std::string value);
  void erase(const std::string& key) {
    std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
  }
};

/// Draws one of the listed laws of a kind; a normal, friction or link law must be supported by a scheme.
const LawPage& drawPage(Random& random, LawKind kind, std::string_view scheme);

/// Draws a normal law for an obstacle with a gap, or for an obstacle without a gap.
const LawPage& drawNormal(Random& random, bool hasGap, std::string_view scheme);

DrawnLaw drawLaw(Random& random, const LawPage& page);

}  // namespace ricochet::cross
