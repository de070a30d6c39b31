#pragma once

#include "engine/study/simulation.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// Motion of a link along its axes in terms of the coordinates of a simulation: 2 x coordinates.
Eigen::Matrix<double, 2, Eigen::Dynamic> linkRows(const LinkRequest& request, const Simulation& simulation);

/// The links of a study, rows over all coordinates, with what supports that move give them. After the imposed
/// fields and the initial state. Throws StudyError (a support whose displacement is not known).
std::vector<Link> linksOf(const Study& study, Simulation& simulation);

/// What the law of a link remembers, in the order of LinkState::memory.
std::span<const LinkVariable> variablesOf(const AnyLinkLaw& any) noexcept;

}  // namespace ricochet
