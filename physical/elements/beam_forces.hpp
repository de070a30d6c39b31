#pragma once

#include "physical/elements/beam.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Names of the forces of both end sections of a beam, in this order and in the local axes.
inline constexpr std::array<std::string_view, 12> kSectionForces{"N1", "Vy1", "Vz1", "Mx1", "My1", "Mz1",
                                                                 "N2", "Vy2", "Vz2", "Mx2", "My2", "Mz2"};

/// Matrix that converts the forces f that the nodes exert on an element (12, global axes) to section forces.
///
/// A section force is the resultant of the stresses, about the centroid, on the face with normal local x: the
/// force of the part beyond the section on the part before it. So it is f at the second end and -f at the
/// first, and is continuous from element to element:
///
///     N > 0: tension,   Vy = -Mz',   Vz = My'   (without load between the nodes)
///     Mz = E Iz v'',   My = -E Iy w'',   Mx = G J rx'
Eigen::Matrix<double, 12, 12> sectionForceMatrix(const Beam& beam);

}  // namespace ricochet
