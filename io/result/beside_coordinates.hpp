#pragma once

#include "engine/study/simulation.hpp"
#include "io/hdf5/hdf5.hpp"

namespace ricochet {

/// Attribute of /transient/displacement in results with loads on dofs without inertia, which move these dofs
/// in addition to the coordinates; and dataset with the names of the nodes that contact forces move in this
/// way.
inline constexpr const char* kBesideCoordinates = "beside_coordinates";
inline constexpr const char* kStaticNodes = "/transient/static_node";

/// True if loads move dofs without inertia in addition to the coordinates: the attribute is "loads".
bool doLoadsMoveMasslessDofs(const Simulation& simulation);
/// Writes the dataset if forces of contacts or links do so.
void writeNodesMovedByForces(const H5File& file, const Study& study, const Simulation& simulation);

}  // namespace ricochet
