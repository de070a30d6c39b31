#pragma once

#include "io/formats/mesh_file.hpp"
#include "physical/dof.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace ricochet {

/// A mesh of the deck: its nodes and lines, positions in metres. An invalid mesh keeps its name but has no
/// lines.
struct DeclaredMesh {
  LineMesh mesh;
  /// Node of the study, for each node of the mesh; -1: not part of the structure.
  std::vector<NodeIndex> nodes;
  std::map<std::pair<int, int>, std::size_t> owners;  ///< beam of the study, by the end nodes of the line
  bool isFreeOfProblems{false};
};

}  // namespace ricochet
