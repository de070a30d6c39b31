#pragma once

#include "engine/study/parts/study.hpp"

namespace ricochet {

struct Simulation;

/// Selects scheme and step of a study whose model is ready: given values are checked, missing values are
/// selected and reported in `choices`. Throws StudyError.
void chooseSchemeAndStep(const Study& study, Simulation& simulation);

}  // namespace ricochet
