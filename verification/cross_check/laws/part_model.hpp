#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ricochet::cross {

/// A key of a deck and its value, as written there; dots reach into inner tables.
struct Entry {
  std::string key;
  std::string value;
  bool needed{false};  ///< no simpler model leaves it out
};

/// A table of a deck, with its head: [[contacts]], [gravity] ...
struct Part {
  std::string head;
  std::vector<Entry> entries{};
  std::string tables{};  ///< tables of functions to which the entries refer
  std::string law{};     ///< names of its laws, for reports

  void add(std::string key, std::string value, bool needed = true) {
    entries.push_back({std::move(key), std::move(value), needed});
  }
  bool mentions(std::string_view text) const;
};

/// A random structure with laws, as parts of a deck: what a new law needs comes from its description.
struct PartModel {
  double duration{0.1};  ///< [s]
  std::vector<Part> parts;

  std::string laws() const;  ///< names of all laws
};

/// Value that a deck must have at an instant.
struct KnownValue {
  std::string node, dof;
  double time{0.0}, value{0.0}, tolerance{0.0};
  std::string source;
};

/// What a deck says beside its model.
struct DeckHead {
  std::string title{"Laws in every scheme"};
  std::string scheme{"central_difference"};  ///< keyword
  bool direct{false};                        ///< physical coordinates
  double step{0.0};                          ///< [s]; 0: none in the deck
  bool limitsStep{false};                    ///< no step is longer
  std::vector<KnownValue> expected{};
  std::string more{};  ///< further text at the end of the deck
};

std::string deckOf(const PartModel& model, const DeckHead& head);

/// Simpler models, the boldest first: without a part or a key, shorter, with fewer digits.
std::vector<PartModel> simplified(const PartModel& model);

}  // namespace ricochet::cross
