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

}  // namespace ricochet
