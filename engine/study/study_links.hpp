#pragma once

#include "engine/study/simulation.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// Rows of the axes of a link over the coordinates of a simulation: 2 x coordinates.
Eigen::Matrix<double, 2, Eigen::Dynamic> linkRows(const LinkRequest& request, const Simulation& simulation);

/// The links of a study with rows over all coordinates, and the imposed motion by moving supports. Needs the
/// imposed fields and the initial state. Throws StudyError (if the displacement of a support is not given).
std::vector<Link> makeLinksOfStudy(const Study& study, Simulation& simulation);

/// Displacement of the independent dofs at coordinates q, with the dofs without inertia where the dashpots on
/// them have their lengths; `links`: states of the links, then of the dashpots. Other forces on dofs without
/// inertia are left out.
Vector displacementWithDashpotLengths(const Study& study, const Simulation& simulation, const Vector& q,
                                      std::span<const LinkState> links);
/// Throws StudyError for a link whose force is no number at the start, as that of a formula 0/0.
void requireForcesAtStart(const Study& study, const Simulation& simulation);

/// True if the force of a law without memory may jump, or become steeper without bound, where a motion
/// reaches it; decided by a search over the arguments of a function, and by the operators of a formula in x,
/// v and t.
bool canForceJump(const AnyLinkLaw& law);

/// True if a formula with decisions (abs, sign, max, if) gives the force: it may have bends of infinite
/// slope.
bool isFormulaWithDecisions(const AnyLinkLaw& law);

/// Internal variables of the law of a link, in the order of LinkState::memory.
std::span<const LinkVariable> internalVariablesOf(const AnyLinkLaw& any) noexcept;

}  // namespace ricochet
