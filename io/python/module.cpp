#include "io/archive/version.hpp"
#include "io/python/bindings.hpp"

#include <string>

namespace ricochet {

void raisePythonSignals() {
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

}  // namespace ricochet

PYBIND11_MODULE(_core, module) {
  module.doc() = "The engine of ricochet; the package `ricochet` is what to import.";
  module.attr("version") = std::string(ricochet::kVersion);
  ricochet::bindErrors(module);
  ricochet::bindDecks(module);
  ricochet::bindRuns(module);
  ricochet::bindBatches(module);
  ricochet::bindManual(module);
}
