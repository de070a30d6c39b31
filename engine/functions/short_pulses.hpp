#pragma once

#include "engine/functions/formula.hpp"

#include <vector>

namespace ricochet {

/// Instants around pulses of a formula in t that are too short for samples a thousandth of a run apart, close
/// to each other where the formula bends; empty if none is found, or more than a run can stop at.
///
/// Pulses are sought where a bound of an exponential, a quotient or a high power over an interval, by
/// interval arithmetic, is far from its values at the ends: such an interval is halved. Values of the formula
/// itself then decide whether there is a pulse. Poles are no pulses.
std::vector<double> instantsAroundShortPulsesOfFormula(const Formula& formula, double from, double to);

}  // namespace ricochet
