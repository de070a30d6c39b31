#include "io/deck/mesh_lines.hpp"

#include "engine/study/parts/beam_request.hpp"
#include "io/formats/declared_mesh.hpp"
#include "physical/elements/elements.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace ricochet {
namespace {

using Pair = std::pair<int, int>;

/// Ends and order of a line, equal for the copies of a line in several groups.
std::tuple<int, int, int> identityOfMeshLine(const LineMesh::Line& line) {
  const auto [first, second] = std::minmax(line.first, line.second);
  return {first, second, line.size};
}

/// Name of a group in the deck: its name, or its number if the file gives no name.
std::string nameOfMeshGroup(const LineMesh::Group& group) {
  return group.name.empty() ? std::to_string(group.tag) : group.name;
}

std::string unknownGroupText(const LineMesh& mesh, const std::string& written) {
  static constexpr const char* kKinds[] = {"points", "lines", "surfaces", "volumes"};
  std::vector<std::string> known;
  for (const LineMesh::Group& group : mesh.groups) {
    if (group.dimension == 1) known.push_back(nameOfMeshGroup(group));
    if (group.dimension != 1 && nameOfMeshGroup(group) == written)
      return fmt::format("\"{}\" is a group of {}; beams take one of lines", written,
                         kKinds[group.dimension]);
  }
  if (known.empty())
    return fmt::format("no group of lines \"{}\"; the mesh has none: leave `group` out to take all lines",
                       written);
  return unknownNameMessage("group of lines", written, known);
}

std::string describeMeshLine(const LineMesh& mesh, const LineMesh::Line& line) {
  const auto tag = [&](int node) { return mesh.nodes[static_cast<std::size_t>(node)].tag; };
  return fmt::format("line {} (nodes {} and {})", line.tag, tag(line.first), tag(line.second));
}

/// The lines that the keys of a beam select; empty after a problem.
std::optional<std::vector<int>> meshLinesOfBeam(const Section& section, const LineMesh& mesh) {
  const std::optional<std::string> group = section.string("group");
  const std::optional<std::vector<int>> lines = linesOfGroup(mesh, group);
  if (!lines) {
    section.problem("group", unknownGroupText(mesh, *group));
    return std::nullopt;
  }
  if (!lines->empty()) return lines;
  section.problem(group ? "group" : "mesh",
                  mesh.others == 0 ? std::string("has no lines")
                                   : fmt::format("has no lines, but {} other elements", mesh.others));
  return std::nullopt;
}

/// Sets the nodes of `beam` to those of a line; false after a problem.
bool setNodesOfLine(ReadContext& context, const Section& section, DeclaredMesh& declared,
                    const LineMesh::Line& line, const std::optional<Vec3>& axisY, Beam& beam) {
  const std::string_view key = section.hasKey("group") ? "group" : "mesh";
  const auto fail = [&](std::string_view where, const std::string& what) {
    section.problem(where, describeMeshLine(declared.mesh, line) + what);
    return false;
  };
  const auto at = [&](NodeIndex node) {
    return context.study.structure.positions[static_cast<std::size_t>(node.value)];
  };
  beam.first = declared.nodes[static_cast<std::size_t>(line.first)];
  beam.second = declared.nodes[static_cast<std::size_t>(line.second)];
  beam.span = at(beam.second) - at(beam.first);
  if (beam.first == beam.second || beam.span.isZero(0.0)) return fail(key, " has no length");
  const auto [owner, isNew] = declared.owners.try_emplace(std::minmax(beam.first.value, beam.second.value),
                                                          context.study.beams.size());
  if (!isNew) {
    const std::size_t other = owner->second;
    return fail(key, other == context.study.beams.size()
                         ? " joins nodes that another one joins already"
                         : fmt::format(" is one of beam \"{}\" too", context.study.beams[other].name));
  }
  const std::optional<Mat3> axes = localAxesOfBeam(beam.span, axisY);
  if (!axes) return fail("axis_y", " is parallel to it; give that one a group of its own");
  beam.axes = *axes;
  return true;
}

}  // namespace

std::optional<std::vector<int>> linesOfGroup(const LineMesh& mesh, const std::optional<std::string>& group) {
  std::vector<int> members;
  if (group) {
    const auto found = std::find_if(mesh.groups.begin(), mesh.groups.end(), [&](const LineMesh::Group& g) {
      return g.dimension == 1 && nameOfMeshGroup(g) == *group;
    });
    if (found == mesh.groups.end()) return std::nullopt;
    members = found->members;
  } else {
    members.resize(mesh.lines.size());
    std::iota(members.begin(), members.end(), 0);
  }
  std::set<std::tuple<int, int, int>> seen;
  std::erase_if(members, [&](int i) {
    return !seen.insert(identityOfMeshLine(mesh.lines[static_cast<std::size_t>(i)])).second;
  });
  return members;
}

std::vector<std::pair<int, int>> findCoincidentNodes(const LineMesh& mesh, const std::vector<char>& marked,
                                                     double distance) {
  // Nodes are sorted along a direction that is unusual in structures, so that few nodes have equal
  // coordinates.
  const Vec3 direction = Vec3(0.6180339887, 0.4142135624, 0.7320508076).normalized();
  std::vector<std::pair<double, int>> order;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (marked[i] != 0) order.emplace_back(direction.dot(mesh.nodes[i].position), static_cast<int>(i));
  std::sort(order.begin(), order.end());
  const auto at = [&](std::size_t i) -> const Vec3& {
    return mesh.nodes[static_cast<std::size_t>(order[i].second)].position;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = i + 1; k < order.size() && order[k].first - order[i].first <= distance; ++k)
      if ((at(i) - at(k)).norm() <= distance)
        pairs.emplace_back(std::minmax(order[i].second, order[k].second));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void addMeshBeam(ReadContext& context, const Section& section, const std::string& name, Beam beam,
                 const std::optional<Vec3>& axisY, const ProblemWatch& watch) {
  const Located<std::string> written = readLocatedString(section, "mesh");
  if (!section.exists() || section.kind("mesh") != ValueKind::string) return;
  const std::optional<int> index = context.meshes.resolveName(written, section.diagnostics());
  if (!index) return;
  DeclaredMesh& declared = context.meshTables[static_cast<std::size_t>(*index)];
  if (!declared.isFreeOfProblems) return;
  const std::optional<std::vector<int>> lines = meshLinesOfBeam(section, declared.mesh);
  if (!lines || !watch.isFreeOfProblems()) return;

  BeamRequest request;
  request.name = name;
  request.material = section.string("material").value_or("");
  request.section = section.string("section").value_or("");
  request.mesh = written.value;
  request.group = section.string("group").value_or("");
  request.firstElement = context.study.structure.elements.size();
  request.count = static_cast<int>(lines->size());
  for (const int i : *lines) {
    const LineMesh::Line& line = declared.mesh.lines[static_cast<std::size_t>(i)];
    if (!setNodesOfLine(context, section, declared, line, axisY, beam)) return;
    if (request.numbers.empty()) request.element = beam;
    if (line.size > 2) ++request.higherOrder;
    request.totalLength += beam.length();
    request.numbers.push_back(line.tag);
    context.study.structure.elements.emplace_back(beam);
  }
  context.study.beams.push_back(std::move(request));
}

}  // namespace ricochet
