#pragma once

#include <variant>

namespace ricochet {

struct PointMass;
struct MassMatrix;
struct Spring;
struct Dashpot;
struct Beam;

/// Every kind of element; the assembler and the conformance tests follow this list. elements.hpp defines
/// them.
using AnyElement = std::variant<PointMass, MassMatrix, Spring, Dashpot, Beam>;

}  // namespace ricochet
