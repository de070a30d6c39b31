#pragma once

#include "io/archive/read_curve.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace ricochet {

/// A stretch of time in which a contact is closed and sticks or slips [s].
struct ContactBand {
  double from, to;
  bool sticks;
};

/// When a contact of a result sticks and slips, exact to its events, and when it closes.
struct ContactPhases {
  std::string contact;
  bool hasFriction{true};  ///< false: a closed contact neither sticks nor slips
  std::vector<ContactBand> bands;
  std::vector<double> closings;
};

/// The phases of the contact that a panel shows: that of its curves, if all of them are of one contact, or
/// the only contact of the result. Empty for another panel, and where bands would be too many to be told
/// apart.
ContactPhases phasesOf(const H5File& file, const std::vector<const Curve*>& panel, double from, double to);

/// Draws bands behind the curves of the next panel (stick blue, slip orange) and marks closings on its time
/// axis. Returns the entries of the key, to be added to the command `plot`.
std::string drawPhases(std::FILE* gnuplot, const ContactPhases& phases, double from, double to);

}  // namespace ricochet
