#pragma once

#include "engine/model/moving_load.hpp"
#include "engine/study/simulation.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ricochet {

/// The loads of a study that travel along beams, in the coordinates of a simulation (its mode and its basis
/// or dofs must be set).
std::vector<MovingLoad> movingLoads(const Study& study, const Simulation& simulation);

/// An element on the path of a load: the positions of its ends, and the nodal forces of a load on this
/// element.
struct WayElement {
  std::size_t element;  ///< index in Structure::elements
  NodeIndex first, second;
  double begin, end;                    ///< positions of the ends along the path [m]
  Eigen::Matrix<double, 12, 4> forces;  ///< nodal forces, see Beam::equivalentNodalForces
};
std::vector<WayElement> elementsOnTravelPath(const MovingLoadRequest& request, const Study& study);
/// Elements on the path of a travelling contact, with the nodal forces of a force of 1 N along e1.
std::vector<WayElement> elementsOnTravelPath(const ContactRequest& request, const Study& study);

/// Positions of the ends of the elements of a path [m], and the generalized forces of the load on each
/// element in the coordinates of a simulation: coordinates x 4 elements, as for MovingLoad.
std::vector<double> elementBorders(const std::vector<WayElement>& way);
SparseMatrix shapeFunctionsAlongPath(const std::vector<WayElement>& way, const Simulation& simulation);

/// The element under the load at t, and its nodal forces (global axes) [N], [N m]; empty if the load is off
/// the path.
struct LoadedElement {
  const WayElement* on;
  Eigen::Matrix<double, 12, 1> forces;
};
std::optional<LoadedElement> elementUnderMovingLoad(const MovingLoadRequest& request,
                                                    const std::vector<WayElement>& way, double t);

}  // namespace ricochet
