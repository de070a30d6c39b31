#include "io/deck/bare_deck.hpp"
#include "io/deck/deck_version.hpp"
#include "io/deck/read_parts.hpp"
#include "io/prepare/restart.hpp"
#include "io/quantities/read_requests.hpp"
#include "io/text/printable.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <variant>

namespace ricochet {
namespace {

void readStructureTables(ReadContext& context) {
  readNodes(context);
  const ProblemWatch watch(context.root);
  readMeshes(context);
  readBeams(context);
  readMatrices(context);
  readGroups(context);
  readMasses(context);
  readSpringsAndDampers(context);
  recordDofsOfElements(context);
  readSupports(context);
  if (!watch.isFreeOfProblems()) context.dofsKnown = false;
  readRelations(context);
}

void readAllTablesOfDeck(ReadContext& context, const Document& document) {
  context.study.title = context.root.string("title").value_or("");
  readStructureTables(context);
  readRestart(context);
  readTransient(context);
  readDirect(context);
  readFunctions(context);
  readSpins(context);
  readLoads(context);
  readInitialState(context);
  readContacts(context);
  readLinks(context);
  readMotions(context);
  readBasis(context);
  readOutput(context);
  readStatistics(context);
  readChecks(context);
  readBatch(context, document);
  context.root.reportUnreadKeysOfAllSections();
}

/// Notes the places of the deck and of its tables; of [[tables]] that of the first.
void recordPlacesOfTables(const Section& root, const Document& document, Places& places) {
  places.addPlaceOfPart("", root.where());
  for (const InputEntry& entry : std::get<InputValue::Table>(document.root.content))
    places.addPlaceOfPart(entry.key, entry.value.array() ? root.where(entry.key, 0) : root.where(entry.key));
}

/// Refuses names with control characters: a terminal that prints such a name would execute them.
void refuseNamesWithControlCharacters(const InputValue& value, const std::string& path,
                                      const std::string& file, Diagnostics& diagnostics) {
  constexpr const char* kProblem = "holds a control character; leave it out";
  if (const auto* text = std::get_if<std::string>(&value.content);
      text != nullptr && hasControlCharacters(*text))
    diagnostics.addProblem({file, value.line, value.column}, path, kProblem);
  if (const InputValue::Array* array = value.array())
    for (std::size_t i = 0; i < array->size(); ++i)
      refuseNamesWithControlCharacters((*array)[i], fmt::format("{}[{}]", path, i), file, diagnostics);
  if (const InputValue::Table* table = value.table())
    for (const InputEntry& entry : *table) {
      const std::string place = path.empty() ? entry.key : path + "." + entry.key;
      if (hasControlCharacters(entry.key))
        diagnostics.addProblem({file, entry.line, entry.column}, place, std::string("this key ") + kProblem);
      refuseNamesWithControlCharacters(entry.value, place, file, diagnostics);
    }
}

}  // namespace

Deck readDeck(const std::filesystem::path& file) { return readDeck(file, Document::load(file)); }

Deck readDeck(const std::filesystem::path& file, const Document& document) {
  Diagnostics diagnostics;
  Deck study;
  study.deckFile = file;
  study.deckText = document.text;
  const Section root(document, diagnostics);
  readDeckVersion(root);
  diagnostics.throwInputErrorIfAny();  // keys of a later version would otherwise be reported as mistakes
  recordPlacesOfTables(root, document, study.places);
  ReadContext context(root, study);
  readAllTablesOfDeck(context, document);
  refuseNamesWithControlCharacters(document.root, "", document.file, diagnostics);
  diagnostics.throwInputErrorIfAny();
  if (study.restart) study.earlierRun = std::make_shared<EarlierResult>(*study.restart, motionDigest(study));
  study.defaults = root.usedDefaults();
  study.defaults.insert(study.defaults.end(), context.defaults.begin(), context.defaults.end());
  return study;
}

}  // namespace ricochet
