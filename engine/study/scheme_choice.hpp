#pragma once

#include "engine/study/parts/study.hpp"

namespace ricochet {

struct Simulation;

/// The scheme and the step of a study whose model is ready: those of the deck, checked, or else ones that
/// suit it, said in `choices`. Throws StudyError.
void chooseSchemeAndStep(const Study& study, Simulation& simulation);

}  // namespace ricochet
