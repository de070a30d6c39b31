#pragma once

#include "physical/dof.hpp"
#include "physical/types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ricochet {

/// Data taken from a mesh file.
struct MeshRequest {
  /// Nodes that the deck can select by one name, "MESH.GROUP".
  struct Group {
    std::string name;
    std::vector<NodeIndex> nodes;
  };
  std::string name;
  std::string file;
  std::size_t nodes{0};        ///< number of nodes that belong to the structure
  std::size_t lines{0};        ///< number of lines in the file
  std::size_t others{0};       ///< elements in the file that are neither lines nor points
  Vec3 lowest{Vec3::Zero()};   ///< corner of the box around the nodes [m]
  Vec3 highest{Vec3::Zero()};  ///< opposite corner of the box [m]
  std::size_t joined{0};       ///< number of nodes replaced by another node at the same position
  std::vector<Group> groups;
};

}  // namespace ricochet
