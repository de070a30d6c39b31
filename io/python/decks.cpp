#include "engine/study/simulation.hpp"
#include "io/app/runs/run_time.hpp"
#include "io/deck/batch_request.hpp"
#include "io/prepare/prepare.hpp"
#include "io/python/bindings.hpp"
#include "io/python/deck_document.hpp"
#include "io/python/modal_table.hpp"
#include "io/quantities/batch/changed_deck.hpp"
#include "io/result/archive_size.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <optional>
#include <string>
#include <utility>

namespace ricochet {

PythonDeck::PythonDeck(const std::filesystem::path& file, Document text,
                       const std::vector<std::string>& changes)
    : document(deckWithChanges(std::move(text), changes)) {
  deck = readDeck(file, document);
}

void PythonDeck::requireTransientRun() const {
  if (!deck.transient) throw InputError({document.file, 1, 1}, "transient", kNothingToRun);
}

namespace {

namespace py = pybind11;

/// Names of the parts of a study.
template <class Parts>
std::vector<std::string> namesOfStudyParts(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}

py::list defaultsAsList(const Deck& deck) {
  py::list defaults;
  for (const DefaultTaken& taken : deck.defaults)
    defaults.append(py::make_tuple(taken.path, taken.value, taken.unit));
  return defaults;
}

/// Contents of a deck as a dictionary, as `ricochet check` finds them without a run.
py::dict deckPreviewAsDict(const PythonDeck& from) {
  const Deck& deck = from.deck;
  std::unique_ptr<Simulation> simulation;
  ArchiveSize size;
  std::optional<double> seconds;
  {
    const py::gil_scoped_release unlocked;
    simulation = prepare(deck);
    if (deck.transient) {
      size = estimateArchiveSize(deck, *simulation);
      seconds = estimatedWallTime(deck, *simulation);
    }
  }
  py::dict seen;
  seen["title"] = deck.title;
  seen["nodes"] = deck.nodes.size();
  seen["free_dofs"] = simulation->physical.size();
  seen["modes"] = modesAsDict(simulation->basis);
  seen["contacts"] = namesOfStudyParts(deck.contacts);
  seen["links"] = namesOfStudyParts(deck.links);
  seen["scheme"] = simulation->scheme;
  seen["step"] = simulation->step;
  seen["stable_step"] = simulation->safeStep;
  seen["rows"] = size.rows;
  seen["megabytes"] = size.megabytes();
  seen["seconds"] = seconds;
  seen["choices"] = simulation->choices;
  seen["warnings"] = simulation->warnings;
  seen["defaults"] = defaultsAsList(deck);
  return seen;
}

PythonDeck loadDeck(const std::filesystem::path& file, const std::vector<std::string>& changes) {
  return {file, Document::load(file), changes};
}

PythonDeck parseDeck(std::string text, const std::filesystem::path& file, std::string name,
                     const std::vector<std::string>& changes) {
  return {file, Document::parse(std::move(text), std::move(name)), changes};
}

}  // namespace

void bindDeckFunctions(py::module_& module) {
  py::class_<PythonDeck>(module, "Deck")
      .def_property_readonly("title", [](const PythonDeck& from) { return from.deck.title; })
      .def_property_readonly("text", [](const PythonDeck& from) { return from.document.text; })
      .def_property_readonly("file", [](const PythonDeck& from) { return from.deck.deckFile; })
      .def_property_readonly("output", [](const PythonDeck& from) { return from.deck.output.file; })
      .def_property_readonly("nodes",
                             [](const PythonDeck& from) { return namesOfStudyParts(from.deck.nodes); })
      .def_property_readonly("contacts",
                             [](const PythonDeck& from) { return namesOfStudyParts(from.deck.contacts); })
      .def_property_readonly("links",
                             [](const PythonDeck& from) { return namesOfStudyParts(from.deck.links); })
      .def_property_readonly("has_batch", [](const PythonDeck& from) { return from.deck.batch != nullptr; })
      .def("changed",
           [](const PythonDeck& from, const std::vector<std::string>& changes) {
             return PythonDeck(from.deck.deckFile, from.document, changes);
           })
      .def("preview", &deckPreviewAsDict);
  module.def("load_deck", &loadDeck, py::arg("file"), py::arg("changes"));
  module.def("parse_deck", &parseDeck, py::arg("text"), py::arg("file"), py::arg("name"), py::arg("changes"));
}

}  // namespace ricochet
