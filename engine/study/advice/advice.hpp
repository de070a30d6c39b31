#pragma once

#include "engine/study/simulation.hpp"

#include <string>
#include <vector>

namespace ricochet {

/// What looks odd in a study that is ready to run in generalized coordinates, one text for each: damping
/// above half of the critical one, forces where nothing holds the structure, beams that contacts alone hold,
/// numbers that look like another system of units, a rotor whose spin is no part of the slip of its contact.
/// All of it may be meant: nothing is refused.
std::vector<std::string> adviceOnStudy(const Study& study, const Simulation& simulation);

/// Shortest duration of an impact on a spring of the contacts: half a period pi sqrt(m/k) of the smallest
/// mass m that the basis moves at the contact, 1/m = phi^t phi [s].
struct ShortestImpact {
  std::size_t contact{0};
  double duration{0.0};  ///< infinite: no contact has a spring that something can strike
};
ShortestImpact shortestImpact(const Simulation& simulation);

}  // namespace ricochet
