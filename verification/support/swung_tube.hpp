#pragma once

#include "engine/functions/formula.hpp"
#include "verification/support/models.hpp"

#include <array>
#include <string_view>

namespace ricochet::test {

/// The tube with its first loads as formulas instead of tables.
inline ModelParts modelOfSwungTube(int modes, int contacts, std::size_t loads = 4) {
  constexpr std::array kForces{"20*sin(2*pi*13*t)", "15*sin(2*pi*29*t)", "10*sin(2*pi*47*t)",
                               "10*sin(2*pi*61*t)"};
  constexpr std::array<std::string_view, 1> kVariables{"t"};
  ModelParts parts = tube({.modes = modes, .stations = positionsOfTubeSlots(contacts), .loadsTo = 1e-4});
  parts.loads.resize(loads);
  for (std::size_t i = 0; i < parts.loads.size(); ++i)
    parts.loads[i].scale = TimeFunction::formula(Formula::parse(kForces.at(i), kVariables));
  return parts;
}

/// Adds a load that is zero: its row over all modes couples the two planes of bending.
inline ModelParts withBendingPlanesCoupled(ModelParts parts) {
  Load all = parts.loads.front();
  all.shape.setOnes();
  all.scale = TimeFunction::constant(0.0);
  parts.loads.push_back(all);
  return parts;
}

}  // namespace ricochet::test
