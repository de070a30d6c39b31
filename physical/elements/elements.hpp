#pragma once

#include "physical/elements/beam.hpp"
#include "physical/elements/connector.hpp"
#include "physical/elements/point_mass.hpp"

#include <variant>

namespace ricochet {

/// Every kind of element; the assembler and the conformance tests follow this list.
using AnyElement = std::variant<PointMass, MassMatrix, Spring, Dashpot, Beam>;

}  // namespace ricochet
