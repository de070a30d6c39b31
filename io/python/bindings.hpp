#pragma once

#include <pybind11/pybind11.h>

namespace ricochet {

// Each function adds a part of the module `ricochet._core`.
void bindExceptions(pybind11::module_& module);
void bindDeckFunctions(pybind11::module_& module);
void bindRunFunctions(pybind11::module_& module);
void bindBatchFunctions(pybind11::module_& module);
void bindManualFunctions(pybind11::module_& module);

/// Raises the exceptions of signals that have arrived in Python meanwhile (KeyboardInterrupt at Ctrl-C).
/// Holds the lock of the interpreter.
void raisePendingPythonSignals();

}  // namespace ricochet
