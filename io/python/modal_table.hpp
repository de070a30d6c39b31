#pragma once

#include <pybind11/pybind11.h>

namespace ricochet {

struct ModalBasis;

/// Quantities of the modes of a basis as a dictionary: name -> (axes, array, attributes).
pybind11::dict modesAsDict(const ModalBasis& basis);

}  // namespace ricochet
