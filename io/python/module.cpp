#include "io/archive/version.hpp"
#include "io/python/bindings.hpp"

#include <string>

namespace ricochet {

void raisePendingPythonSignals() {
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

}  // namespace ricochet

PYBIND11_MODULE(_core, module) {
  module.doc() = "The engine of ricochet; the package `ricochet` is what to import.";
  module.attr("version") = std::string(ricochet::kVersion);
  ricochet::bindExceptions(module);
  ricochet::bindDeckFunctions(module);
  ricochet::bindRunFunctions(module);
  ricochet::bindBatchFunctions(module);
  ricochet::bindManualFunctions(module);
}
