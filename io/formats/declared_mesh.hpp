#pragma once

#include "io/formats/mesh_file.hpp"
#include "physical/dof.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace ricochet {

/// A mesh of the deck: its nodes and lines, positions in metres. A bad one is known by its name, without
/// lines.
struct DeclaredMesh {
  LineMesh mesh;
  std::vector<NodeIndex> nodes;  ///< of the study, by the index in the mesh; -1: not part of the structure
  std::map<std::pair<int, int>, std::size_t> owners;  ///< beams of the study, by the ends of their lines
  bool isClean{false};
};

}  // namespace ricochet
