#pragma once

#include "engine/study/simulation.hpp"

#include <string>
#include <vector>

namespace ricochet {

/// Advice on a study that is ready to run in generalized coordinates, one text per finding: damping above
/// half of the critical damping, forces on motions that nothing holds, beams held by contacts alone, numbers
/// in mixed systems of units, a friction coefficient above 2, a rotor whose spin is not part of the slip of
/// its contact. Each of these may be intended: nothing is refused.
std::vector<std::string> adviceOnStudy(const Study& study, const Simulation& simulation);

/// Shortest duration of an impact on a spring of the contacts: half a period pi sqrt(m/k) of the smallest
/// mass m that the basis moves at the contact, 1/m = phi^t phi [s].
struct ShortestImpact {
  std::size_t contact{0};
  double duration{0.0};  ///< shortest duration [s]; infinite: no contact has such a spring
};
ShortestImpact shortestImpact(const Simulation& simulation);

}  // namespace ricochet
