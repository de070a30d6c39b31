// Reads [meshes.NAME]: a mesh file, whose lines [[beams]] can use.

#include "io/deck/deck.hpp"
#include "io/deck/mesh_lines.hpp"
#include "io/deck/read_parts.hpp"
#include "io/formats/declared_mesh.hpp"
#include "io/text/text_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

namespace ricochet {
namespace {

constexpr double kSamePlace = 1e-8;  // relative to the size of the mesh: gmsh's own Geometry.Tolerance

std::string positionText(const Vec3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p.x(), p.y(), p.z());
}

void removeDuplicates(std::vector<NodeIndex>& nodes) {
  std::sort(nodes.begin(), nodes.end(), [](NodeIndex a, NodeIndex b) { return a.value < b.value; });
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

/// Adds the nodes of one mesh to the study.
class MeshNodes {
 public:
  MeshNodes(ReadContext& context, const NamedSection& entry, DeclaredMesh& declared)
      : context_(context),
        section_(entry.section),
        name_(entry.name),
        mesh_(declared.mesh),
        nodes_(declared.nodes),
        used_(declared.mesh.nodes.size(), 0) {
    request_.name = entry.name.value;
  }

  void readMeshNodes() {
    request_.file = section_.string("file", kRequired);
    const double scale = section_.number("scale", 1.0, rangeAbove(0.0, "m"));
    const std::string coincident = section_.choice("coincident", "refuse", {"refuse", "join", "keep"});
    for (LineMesh::Node& node : mesh_.nodes) {
      node.position *= scale;
      if (node.position.cwiseAbs().maxCoeff() <= kLargestNumber) continue;
      section_.problem("scale", fmt::format("puts node {} more than 1e100 m away", node.tag));
      break;
    }
    markUsedNodes();
    findBoundingBox();
    if (coincident != "keep") joinOrReportCoincidentNodes(coincident == "join");
    declareNodes();
    declareMeshGroups();
    request_.lines = mesh_.lines.size();
    request_.others = mesh_.others;
    context_.study.meshes.push_back(std::move(request_));
  }

 private:
  /// Marks the nodes of lines that beams use, and of named points.
  void markUsedNodes() {
    for (const Section& beam : context_.root.sections("beams")) {
      if (beam.string("mesh") != name_.value) continue;
      const std::optional<std::vector<int>> lines = linesOfGroup(mesh_, beam.string("group"));
      if (!lines) continue;  // the beam has already reported the problem
      for (const int i : *lines) {
        const LineMesh::Line& line = mesh_.lines[static_cast<std::size_t>(i)];
        used_[static_cast<std::size_t>(line.first)] = used_[static_cast<std::size_t>(line.second)] = 1;
      }
    }
    for (const LineMesh::Group& group : mesh_.groups)
      if (group.dimension == 0 && !group.name.empty())
        for (const int node : group.members) used_[static_cast<std::size_t>(node)] = 1;
  }

  void findBoundingBox() {
    bool any = false;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i] == 0) continue;
      const Vec3& p = mesh_.nodes[i].position;
      request_.lowest = any ? Vec3(request_.lowest.cwiseMin(p)) : p;
      request_.highest = any ? Vec3(request_.highest.cwiseMax(p)) : p;
      any = true;
    }
  }

  /// Reports two nodes at one position, which would be an invisible gap in the structure, or joins both
  /// nodes.
  void joinOrReportCoincidentNodes(bool join) {
    const double distance = kSamePlace * (request_.highest - request_.lowest).norm();
    const auto pairs = findCoincidentNodes(mesh_, used_, distance);
    if (pairs.empty()) return;
    if (join) {
      sameAs_.assign(used_.size(), -1);
      for (const auto& [first, second] : pairs) {
        const int before = sameAs_[static_cast<std::size_t>(first)];
        int& same = sameAs_[static_cast<std::size_t>(second)];
        if (same < 0) same = before < 0 ? first : before;
      }
      return;
    }
    const auto [first, second] = pairs.front();
    section_.problem(
        "file",
        fmt::format("nodes {} and {} are both at {} and not joined ({}); join them in gmsh (Coherence, "
                    "Coherence Mesh), or give `coincident = \"join\"`, or \"keep\"",
                    mesh_.nodes[static_cast<std::size_t>(first)].tag,
                    mesh_.nodes[static_cast<std::size_t>(second)].tag,
                    positionText(mesh_.nodes[static_cast<std::size_t>(first)].position),
                    pairs.size() == 1 ? std::string("the only such pair")
                                      : fmt::format("the first of {} such pairs", pairs.size())));
  }

  Located<std::string> namedGroup(const std::string& last) const {
    return {fmt::format("{}.{}", name_.value, last), name_.where, name_.path};
  }

  /// Declares the nodes in the order of the file.
  void declareNodes() {
    nodes_.assign(used_.size(), NodeIndex{-1});
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (used_[i] == 0) continue;
      const Located<std::string> made = namedGroup(std::to_string(mesh_.nodes[i].tag));
      const int same = sameAs_.empty() ? -1 : sameAs_[i];
      if (same >= 0) {
        nodes_[i] = nodes_[static_cast<std::size_t>(same)];
        context_.nodes.declareAlias(made, nodes_[i].value, section_.diagnostics());
        ++request_.joined;
        continue;
      }
      nodes_[i] = NodeIndex{context_.nodes.declareName(made, section_.diagnostics())};
      context_.addNode(made.value, made.where);
      context_.study.structure.positions.push_back(mesh_.nodes[i].position);
      ++request_.nodes;
    }
  }

  /// Nodes of a group of points or lines, each once; empty if one of them does not belong to the structure.
  std::optional<std::vector<NodeIndex>> nodesOfMeshGroup(const LineMesh::Group& group) const {
    std::vector<int> members;
    for (const int i : group.members) {
      if (group.dimension == 0) members.push_back(i);
      if (group.dimension != 1) continue;
      const LineMesh::Line& line = mesh_.lines[static_cast<std::size_t>(i)];
      members.insert(members.end(), {line.first, line.second});
    }
    std::vector<NodeIndex> found;
    for (const int i : members) {
      const NodeIndex node = nodes_[static_cast<std::size_t>(i)];
      if (node.value < 0) return std::nullopt;
      found.push_back(node);
    }
    removeDuplicates(found);
    if (found.empty()) return std::nullopt;
    return found;
  }

  /// Declares the groups of a name: the points with this name if there are any, else the ends of the lines
  /// with this name.
  void declareMeshGroups() {
    std::set<std::string> known;
    for (const int dimension : {0, 1})
      for (const LineMesh::Group& group : mesh_.groups) {
        if (group.dimension != dimension || group.name.empty()) continue;
        const std::optional<std::vector<NodeIndex>> members = nodesOfMeshGroup(group);
        if (!members || !known.insert(group.name).second) continue;
        request_.groups.push_back({namedGroup(group.name).value, *members});
        declareMeshGroup(namedGroup(group.name), *members);
      }
  }

  /// Declares a group. A group of one node becomes an alias of the node, unless another node has this name.
  void declareMeshGroup(const Located<std::string>& made, const std::vector<NodeIndex>& members) {
    const std::optional<int> node = context_.nodes.find(made.value);
    const bool isOne = members.size() == 1;
    if (isOne && node == members.front().value) return;
    if (node || isNumberOfNode(made.value)) {
      context_.unclear.emplace(
          made.value,
          fmt::format("\"{}\" is a node, and a group of {} in {}; rename the group there", made.value,
                      isOne ? std::string("another one") : fmt::format("{} others", members.size()),
                      request_.file));
      return;
    }
    if (isOne)
      context_.nodes.declareAlias(made, members.front().value, section_.diagnostics());
    else
      context_.groups[made.value] = members;
  }

  /// True if "MESH.5" is the number of a node, even if this node does not belong to the structure.
  bool isNumberOfNode(const std::string& name) const {
    const std::optional<std::int64_t> tag =
        parseInteger(std::string_view(name).substr(name_.value.size() + 1));
    return tag && std::any_of(mesh_.nodes.begin(), mesh_.nodes.end(),
                              [&](const LineMesh::Node& node) { return node.tag == *tag; });
  }

  ReadContext& context_;
  const Section& section_;
  const Located<std::string>& name_;
  LineMesh& mesh_;
  std::vector<NodeIndex>& nodes_;
  std::vector<char> used_;
  std::vector<int> sameAs_;  // the node that replaces this node; -1: none
  MeshRequest request_;
};

}  // namespace

void readMeshes(ReadContext& context) {
  const std::optional<Section> all = context.root.section("meshes");
  if (!all) return;
  if (!all->exists()) {
    context.meshes.markNamesAsIncomplete();
    context.nodes.markNamesAsIncomplete();
    return;
  }
  for (const NamedSection& entry : all->namedSections()) {
    const ProblemWatch watch(entry.section);
    context.meshes.declareName(entry.name, entry.section.diagnostics());
    DeclaredMesh& declared = context.meshTables.emplace_back();
    const Located<std::filesystem::path> file{context.pathOfDataFile(entry.section.string("file", kRequired)),
                                              entry.section.where("file"), entry.section.pathOf("file")};
    std::optional<LineMesh> mesh;
    if (watch.isFreeOfProblems()) mesh = readMeshFile(file, entry.section.diagnostics());
    if (mesh) declared.mesh = std::move(*mesh);
    MeshNodes(context, entry, declared).readMeshNodes();
    declared.isFreeOfProblems = watch.isFreeOfProblems();
    if (!declared.isFreeOfProblems) context.nodes.markNamesAsIncomplete();
  }
}

}  // namespace ricochet
