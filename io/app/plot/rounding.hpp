#pragma once

#include "io/archive/read_curve.hpp"

#include <string>

namespace ricochet {

/// Replaces a history of a node by zero if it is rounding: nowhere above 1e-12 of the largest value of the
/// same field and unit in the result. Returns the note that says so; empty otherwise.
std::string zeroRounding(const H5File& file, Curve& curve);

}  // namespace ricochet
