#include "io/app/manual/manual.hpp"

#include "io/app/manual/law_snippet.hpp"
#include "io/python/bindings.hpp"

#include <pybind11/stl.h>

#include <string>

namespace ricochet {
namespace {

namespace py = pybind11;

/// The pages of a name, or the list of all pages for an empty name.
std::string textOfManualPages(const std::string& name) {
  if (name.empty()) return listOfManualPages();
  std::string text;
  for (const LawPage* page : pagesWithName(name))
    text += (text.empty() ? "" : "\n\n") + terminalTextOfPage(*page);
  return text;
}

/// A complete deck with the example of each page.
py::dict exampleDecksAsDict() {
  py::dict decks;
  for (const LawPage& page : manualPages())
    decks[py::str(page.name())] = deckWithSnippet(deckSnippetOf(page));
  return decks;
}

}  // namespace

void bindManualFunctions(py::module_& module) {
  module.def("manual", &textOfManualPages, py::arg("name"));
  module.def("example_decks", &exampleDecksAsDict);
}

}  // namespace ricochet
