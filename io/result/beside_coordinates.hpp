#pragma once

#include "engine/study/simulation.hpp"
#include "io/hdf5/hdf5.hpp"

namespace ricochet {

/// Attribute of /transient/displacement of results with loads on dofs without inertia, which move these dofs
/// beside the coordinates; and dataset with the names of the nodes that contact forces move so.
inline constexpr const char* kBesideCoordinates = "beside_coordinates";
inline constexpr const char* kStaticNodes = "/transient/static_node";

/// Writes both to a result whose coordinates do not give the whole motion of such dofs.
void describeBesideCoordinates(const H5File& file, const Study& study, const Simulation& simulation);

}  // namespace ricochet
