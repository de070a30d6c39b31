#include "io/app/manual/manual.hpp"

#include "io/app/manual/law_snippet.hpp"
#include "io/python/bindings.hpp"

#include <pybind11/stl.h>

#include <string>

namespace ricochet {
namespace {

namespace py = pybind11;

/// The pages of a name, or the list of all pages for an empty name.
std::string manualText(const std::string& name) {
  if (name.empty()) return manualList();
  std::string text;
  for (const LawPage* page : pagesNamed(name)) text += (text.empty() ? "" : "\n\n") + terminalPage(*page);
  return text;
}

/// A complete deck with the example of each page.
py::dict exampleDecks() {
  py::dict decks;
  for (const LawPage& page : manualPages())
    decks[py::str(page.name())] = deckWithSnippet(deckSnippetOf(page));
  return decks;
}

}  // namespace

void bindManual(py::module_& module) {
  module.def("manual", &manualText, py::arg("name"));
  module.def("example_decks", &exampleDecks);
}

}  // namespace ricochet
