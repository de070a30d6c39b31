#pragma once

#include "physical/elements/beam.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// In the order of BeamMass.
inline constexpr std::array<std::string_view, 3> kBeamMassNames{"consistent", "lumped", "corrected"};

/// Beams of one entry of the deck: generated between two nodes, where nodes[i] carries the name "NAME.i", or
/// the lines of a group of a mesh. Their elements follow one another in the structure.
struct BeamRequest {
  std::string name;
  std::string material;
  std::string section;
  std::vector<NodeIndex> nodes;       ///< along a generated beam, both ends included; empty for a mesh
  Beam element;                       ///< the first; generated ones differ in their nodes only
  std::size_t firstElement{0};        ///< its index in the structure
  int count{0};                       ///< elements
  double totalLength{0.0};            ///< [m]
  std::string mesh;                   ///< of the lines; empty for a generated beam
  std::string group;                  ///< of the mesh; empty for all of its lines
  int higherOrder{0};                 ///< lines with nodes between their ends, which are left out
  std::vector<std::int64_t> numbers;  ///< of the elements in the mesh; generated ones count from 1

  int elements() const noexcept { return count; }
  double length() const noexcept { return totalLength; }  ///< [m]
  double mass() const noexcept {                          ///< [kg]
    return element.material.density * element.section.area * length();
  }
};

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
