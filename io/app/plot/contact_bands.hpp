#pragma once

#include "io/archive/contact_phases.hpp"
#include "io/archive/read_curve.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace ricochet {

/// Intervals of stick and slip of a contact of a result, exact to its events, and the instants of its
/// closings.
struct ContactPhases {
  std::string contact;
  std::vector<StatePhase> bands;  ///< phases in which the contact is closed
  std::vector<double> closings;
};

/// True unless a contact is known to have no friction. The table of numerous contacts does not name their
/// laws: friction shows there in what the contact did.
bool hasContactFriction(const H5File& file, const std::string& contact, Mode mode, const ContactStates& rows);

/// Phases of a contact between two instants. Without friction a closed contact neither sticks nor slips.
std::vector<StatePhase> contactPhasesBetween(const ContactStates& rows, const ContactEvents& events,
                                             bool hasFriction, double from, double to);

/// Phases of the contact that a panel shows: the contact of all its curves, or the only contact of the
/// result. Empty for another panel, and if there are too many bands to distinguish.
ContactPhases contactPhasesOfPanel(const H5File& file, const std::vector<const Curve*>& panel, double from,
                                   double to);

/// Draws bands behind the curves of the next panel (stick blue, slip orange, else grey) and marks closings on
/// its time axis. Returns the entries of the key, to be added to the command `plot`.
std::string drawContactPhases(std::FILE* gnuplot, const ContactPhases& phases, double from, double to);

}  // namespace ricochet
