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

/// Lines of a mesh: of a group of lines, each once; without a group all of them, those of several groups
/// once. Nothing if there is no such group.
std::optional<std::vector<int>> linesOf(const LineMesh& mesh, const std::optional<std::string>& group);

/// Pairs of nodes, among those that are marked, at the same place: nearer than `distance` [m]; the second one
/// stands after the first.
std::vector<std::pair<int, int>> coincidentNodes(const LineMesh& mesh, const std::vector<char>& marked,
                                                 double distance);

/// Adds the lines of a mesh (keys `mesh` and `group` of a beam) as elements like `beam`; `axisY` as for every
/// beam. What is bad becomes a problem; nothing is added after one
/// since `watch` was made.
void addMeshBeam(ReadContext& context, const Section& section, const std::string& name, Beam beam,
                 const std::optional<Vec3>& axisY, const ProblemWatch& watch);

}  // namespace ricochet
