#pragma once

#include "io/deck/read_context.hpp"
#include "io/toml/read_names.hpp"
#include "io/toml/section.hpp"
#include "physical/matrix_names.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

struct Beam;
struct LineMesh;

/// Lines of a mesh that belong to a group, or all lines without a group; a line of several groups is listed
/// once. Empty if there is no such group.
std::optional<std::vector<int>> linesOfGroup(const LineMesh& mesh, const std::optional<std::string>& group);

/// Pairs of marked nodes whose distance is below `distance` [m]; the second node has the higher index.
std::vector<std::pair<int, int>> findCoincidentNodes(const LineMesh& mesh, const std::vector<char>& marked,
                                                     double distance);

/// Adds the lines of a mesh (keys `mesh` and `group` of a beam) as elements with the properties of `beam`;
/// `axisY` as for every beam. Reports problems; adds nothing if `watch` has recorded a problem.
void addMeshBeam(ReadContext& context, const Section& section, const std::string& name, Beam beam,
                 const std::optional<Vec3>& axisY, const ProblemWatch& watch);

}  // namespace ricochet
