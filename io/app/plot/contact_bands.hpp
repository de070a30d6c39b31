#pragma once

#include "io/archive/read_curve.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace ricochet {

/// An interval of time in which a contact is closed [s]. `state`: kStickState, kSlipState, or kClosedState
/// where it is not known to stick or slip, or has no friction.
struct ContactBand {
  double from, to;
  std::int8_t state;
};

/// Intervals of stick and slip of a contact of a result, exact to its events, and the instants of its
/// closings.
struct ContactPhases {
  std::string contact;
  bool hasFriction{true};  ///< false: a closed contact neither sticks nor slips
  std::vector<ContactBand> bands;
  std::vector<double> closings;
};

/// Phases of the contact that a panel shows: the contact of all its curves, or the only contact of the
/// result. Empty for another panel, and if there are too many bands to distinguish.
ContactPhases phasesOf(const H5File& file, const std::vector<const Curve*>& panel, double from, double to);

/// Draws bands behind the curves of the next panel (stick blue, slip orange, else grey) and marks closings on
/// its time axis. Returns the entries of the key, to be added to the command `plot`.
std::string drawPhases(std::FILE* gnuplot, const ContactPhases& phases, double from, double to);

}  // namespace ricochet
