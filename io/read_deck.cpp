#include "io/bare_study.hpp"
#include "io/document.hpp"
#include "io/read_parts.hpp"

namespace ricochet {
namespace {

void readModel(ReadContext& context) {
  readNodes(context);
  const ProblemWatch watch(context.root);
  readMeshes(context);
  readBeams(context);
  readMatrices(context);
  readGroups(context);
  readMasses(context);
  readConnectors(context);
  readSupports(context);
  if (!watch.isClean()) context.dofsKnown = false;
  noteDofs(context);
  readRelations(context);
}

void readAll(ReadContext& context, const Document& document) {
  context.study.title = context.root.string("title").value_or("");
  readModel(context);
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
  context.root.finishAll();
}

}  // namespace

Study readDeck(const std::filesystem::path& file) {
  Diagnostics diagnostics;
  const Document document = Document::load(file, diagnostics);
  diagnostics.throwIfAny();
  return readDeck(file, document);
}

Study readDeck(const std::filesystem::path& file, const Document& document) {
  Diagnostics diagnostics;
  Study study;
  study.deckFile = file;
  study.deckText = document.text;
  const Section root(document, diagnostics);
  ReadContext context(root, study);
  readAll(context, document);
  diagnostics.throwIfAny();
  study.defaults = root.defaults();
  study.defaults.insert(study.defaults.end(), context.defaults.begin(), context.defaults.end());
  return study;
}

}  // namespace ricochet
