#pragma once

#include <pybind11/pybind11.h>

namespace ricochet {

// Each function adds a part of the module `ricochet._core`.
void bindErrors(pybind11::module_& module);
void bindDecks(pybind11::module_& module);
void bindRuns(pybind11::module_& module);
void bindBatches(pybind11::module_& module);
void bindManual(pybind11::module_& module);

/// Raises the exceptions of signals that have arrived in Python meanwhile (KeyboardInterrupt at Ctrl-C).
/// Holds the lock of the interpreter.
void raisePythonSignals();

}  // namespace ricochet
