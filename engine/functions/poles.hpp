#pragma once

#include "engine/functions/formula.hpp"

#include <cstddef>
#include <optional>

namespace ricochet {

/// The first instant of an interval at which a formula in t becomes infinite, to a few roundings; empty if
/// none is found.
///
/// Instants around which the bounds of the formula, by interval arithmetic, stay infinite are sought by
/// halving; the growth of its values towards such an instant then decides, so that quotients like sin(t)/t
/// have no pole at 0. Integrable poles, of 1/sqrt(abs(t)) or log(abs(t)), are poles. The time is the variable
/// of the index `time`; up to two others have values near `others`.
std::optional<double> firstPoleOfFormula(const Formula& formula, double from, double to, std::size_t time = 0,
                                         double others = 0.0);

}  // namespace ricochet
