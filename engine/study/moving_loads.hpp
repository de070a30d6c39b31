#pragma once

#include "engine/model/moving_load.hpp"
#include "engine/study/simulation.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ricochet {

/// The loads of a study that travel along beams, in the coordinates of a simulation (its mode, and the basis
/// or the dofs, must be there).
std::vector<MovingLoad> movingLoads(const Study& study, const Simulation& simulation);

/// Elements on the way of a load, one after the other: its ends, and the nodal forces of a load on it.
struct WayElement {
  std::size_t element;  ///< of the structure
  NodeIndex first, second;
  double begin, end;                    ///< along the way [m]
  Eigen::Matrix<double, 12, 4> forces;  ///< Beam::forcesOf
};
std::vector<WayElement> wayOf(const MovingLoadRequest& request, const Study& study);

/// The element that a load stands on at t, and its nodal forces (global axes) [N], [N m]; none off the way.
struct LoadedElement {
  const WayElement* on;
  Eigen::Matrix<double, 12, 1> forces;
};
std::optional<LoadedElement> loadedElement(const MovingLoadRequest& request,
                                           const std::vector<WayElement>& way, double t);

}  // namespace ricochet
