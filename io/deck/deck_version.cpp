#include "io/deck/deck_version.hpp"

#include "io/toml/read_names.hpp"
#include "io/toml/replace_value.hpp"
#include "io/toml/section.hpp"

#include <fmt/core.h>

#include <array>
#include <utility>

namespace ricochet {
namespace {

/// A word or a key of `[[tables]]` that had another name in earlier versions of decks.
struct RenamedWord {
  int since;
  std::string_view table, key, before, now, meaning;
};

constexpr std::array kRenamedWords{
    RenamedWord{1, "beams", "mass", "averaged", "corrected",
                "the consistent mass corrected to fourth order, for deep beams, extension and torsion too"}};

const std::string* stringOfValue(const InputValue* value) {
  return value == nullptr ? nullptr : std::get_if<std::string>(&value->content);
}

/// Replaces the word everywhere in the deck; each replacement moves the places of later values.
void renameWordInDeck(const RenamedWord& word, UpgradedDeck& deck) {
  const InputValue* found = deck.document.root.find(word.table);
  const std::size_t count = found != nullptr && found->array() != nullptr ? found->array()->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const InputValue* value = (*deck.document.root.find(word.table)->array())[i].find(word.key);
    const std::string* text = stringOfValue(value);
    if (text == nullptr || *text != word.before) continue;
    const std::string place = fmt::format("{}[{}].{}", word.table, i, word.key);
    deck.document = documentWithReplacedValue(deck.document, *value, fmt::format("\"{}\"", word.now), place);
    deck.changes.push_back(
        fmt::format("{}: \"{}\" is \"{}\" now: {}", place, word.before, word.now, word.meaning));
  }
}

}  // namespace

void readDeckVersion(const Section& root) {
  if (!root.hasKey("version")) return;
  const ProblemWatch watch(root);
  const int version = root.integer("version", kRequired, rangeAtLeast(1.0));
  if (watch.isFreeOfProblems() && version > kDeckVersion)
    root.problem("version", fmt::format("is {}, and this program reads decks up to version {}: take a newer "
                                        "ricochet",
                                        version, kDeckVersion));
}

UpgradedDeck upgradedDeck(Document document) {
  Diagnostics diagnostics;
  readDeckVersion(Section(document, diagnostics));
  diagnostics.throwInputErrorIfAny();
  UpgradedDeck deck{std::move(document), {}};
  const InputValue* given = deck.document.root.find("version");
  const auto* number = given == nullptr ? nullptr : std::get_if<std::int64_t>(&given->content);
  const int version = number == nullptr ? 0 : static_cast<int>(*number);
  if (version == kDeckVersion) return deck;
  for (const RenamedWord& word : kRenamedWords)
    if (word.since > version) renameWordInDeck(word, deck);
  const std::string present = std::to_string(kDeckVersion);
  given = deck.document.root.find("version");
  deck.document = given == nullptr
                      ? documentWithAddedKey(deck.document, deck.document.root, "version", present, "version")
                      : documentWithReplacedValue(deck.document, *given, present, "version");
  deck.changes.push_back(fmt::format("version: {}", present));
  return deck;
}

}  // namespace ricochet
