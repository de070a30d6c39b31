#pragma once

#include "physical/elements/beam.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Forces of the two end sections of a beam, in this order and in its local axes.
inline constexpr std::array<std::string_view, 12> kSectionForces{"N1", "Vy1", "Vz1", "Mx1", "My1", "Mz1",
                                                                 "N2", "Vy2", "Vz2", "Mx2", "My2", "Mz2"};

/// The matrix that makes section forces of the forces f that the nodes exert on an element (12, global axes).
///
/// A section force is the resultant of the stresses on the face that looks along local x, about the centroid:
/// what the part beyond the section exerts on the part before it. So it is f at the second end and -f at the
/// first, and runs on continuously from element to element:
///
///     N > 0 pulls,   Vy = -Mz',   Vz = My'   (without load between)
///     Mz = E Iz v'',   My = -E Iy w'',   Mx = G J rx'
Eigen::Matrix<double, 12, 12> toSectionForces(const Beam& beam);

}  // namespace ricochet
