#pragma once

#include "physical/elements/beam.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Names of the beam mass matrices in decks, in the order of BeamMass.
inline constexpr std::array<std::string_view, 3> kBeamMassNames{"consistent", "lumped", "corrected"};

/// Beams of one deck entry: a straight beam divided between two nodes, where nodes[i] has the name "NAME.i",
/// or the lines of a mesh group. The elements are consecutive in the structure.
struct BeamRequest {
  std::string name;
  std::string material;
  std::string section;
  std::vector<NodeIndex> nodes;  ///< nodes along a generated beam, both ends included; empty for a mesh
  Beam element;  ///< first element; the other elements of a generated beam differ only in their nodes
  std::size_t firstElement{0};        ///< index of the first element in the structure
  int count{0};                       ///< number of elements
  double totalLength{0.0};            ///< total length [m]
  std::string mesh;                   ///< mesh that contains the lines; empty for a generated beam
  std::string group;                  ///< group of the mesh; empty: all lines of the mesh
  int higherOrder{0};                 ///< number of lines with mid-side nodes; these nodes are ignored
  std::vector<std::int64_t> numbers;  ///< numbers of the elements in the mesh; 1, 2, ... for a generated beam

  int elements() const noexcept { return count; }
  double length() const noexcept { return totalLength; }  ///< total length [m]
  double mass() const noexcept {                          ///< total mass [kg]
    return element.material.density * element.section.area * length();
  }
};

}  // namespace ricochet
