#pragma once

#include "physical/elements/beam.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// In the order of BeamMass.
inline constexpr std::array<std::string_view, 3> kBeamMassNames{"consistent", "lumped", "corrected"};

/// A generated mesh of beams: nodes[i] carries the name "NAME.i".
struct BeamRequest {
  std::string name;
  std::string material;
  std::string section;
  std::vector<NodeIndex> nodes;  ///< along the beam, both ends included
  Beam element;                  ///< the first element; the others differ in their nodes only

  int elements() const noexcept { return static_cast<int>(nodes.size()) - 1; }
  double length() const noexcept { return elements() * element.length(); }  ///< [m]
  double mass() const noexcept {                                            ///< [kg]
    return element.material.density * element.section.area * length();
  }
};

}  // namespace ricochet
