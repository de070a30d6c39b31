#pragma once

#include "engine/study/simulation.hpp"
#include "io/hdf5/hdf5.hpp"

namespace ricochet {

/// Attribute of /transient/displacement in results with loads on dofs without inertia, which move these dofs
/// in addition to the coordinates; and dataset with the names of the nodes that contact forces move in this
/// way.
inline constexpr const char* kBesideCoordinates = "beside_coordinates";
inline constexpr const char* kStaticNodes = "/transient/static_node";

/// Writes the attribute and the dataset if the coordinates do not give the whole motion of such dofs.
void describeBesideCoordinates(const H5File& file, const Study& study, const Simulation& simulation);

}  // namespace ricochet
