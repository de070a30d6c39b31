#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ricochet::cross {

/// A key of a deck and its value, as text; dots separate the names of nested tables.
struct Entry {
  std::string key;
  std::string value;
  bool needed{false};  ///< true: all simpler models keep this key
};

/// A table of a deck with its header: [[contacts]], [gravity] ...
struct Part {
  std::string head;
  std::vector<Entry> entries{};
  std::string tables{};  ///< tables of functions to which the entries refer
  std::string law{};     ///< names of the laws of this table, for reports

  void add(std::string key, std::string value, bool needed = true) {
    entries.push_back({std::move(key), std::move(value), needed});
  }
  bool containsText(std::string_view text) const;
};

/// A random structure with laws, as parts of a deck: the keys of a new law follow from its description.
struct PartModel {
  double duration{0.1};  ///< [s]
  std::vector<Part> parts;

  std::string laws() const;  ///< names of all laws
};

/// Required value of a deck at an instant.
struct KnownValue {
  std::string node, dof;
  double time{0.0}, value{0.0}, tolerance{0.0};
  std::string source;
};

/// Tables of a deck beside its model.
struct DeckHead {
  std::string title{"Laws in every scheme"};
  std::string scheme{"central_difference"};  ///< keyword
  bool direct{false};                        ///< true: physical coordinates
  double step{0.0};                          ///< step [s]; 0: not in the deck
  bool limitsStep{false};                    ///< longest step [s]
  double tolerance{0.0};                     ///< relative tolerance; 0: not in the deck
  std::vector<KnownValue> expected{};
  std::string more{};  ///< further text at the end of the deck
};

std::string deckOf(const PartModel& model, const DeckHead& head);

/// Models with one simplification, in the order of decreasing simplification: without a part or a key,
/// shorter, with fewer digits.
std::vector<PartModel> simplifiedModels(const PartModel& model);

}  // namespace ricochet::cross
