#pragma once

#include <variant>

namespace ricochet {

struct PointMass;
struct MassMatrix;
struct Spring;
struct Dashpot;
struct Beam;

/// All kinds of elements; the assembler and the conformance tests use this list. Definitions in elements.hpp.
using AnyElement = std::variant<PointMass, MassMatrix, Spring, Dashpot, Beam>;

}  // namespace ricochet
