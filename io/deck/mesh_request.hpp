#pragma once

#include "physical/dof.hpp"
#include "physical/types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ricochet {

/// What was taken from a mesh file.
struct MeshRequest {
  /// Nodes that the deck can name together, "MESH.GROUP".
  struct Group {
    std::string name;
    std::vector<NodeIndex> nodes;
  };
  std::string name;
  std::string file;
  std::size_t nodes{0};        ///< that the structure has
  std::size_t lines{0};        ///< in the file
  std::size_t others{0};       ///< elements in the file that are neither lines nor points
  Vec3 lowest{Vec3::Zero()};   ///< corner of the box around the nodes [m]
  Vec3 highest{Vec3::Zero()};  ///< the opposite one [m]
  std::size_t joined{0};       ///< nodes at the place of another one that became this one
  std::vector<Group> groups;
};

}  // namespace ricochet
