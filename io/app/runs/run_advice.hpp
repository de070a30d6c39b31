#pragma once

#include "io/deck/deck.hpp"

#include <string>
#include <vector>

namespace ricochet {

struct Simulation;

/// What looks odd in a run before it starts, one text for each: adviceOnStudy of the study, loads that
/// supports take up whole, and rows of the result that are further apart than an impact lasts.
std::vector<std::string> adviceOnRun(const Deck& deck, const Simulation& simulation);

/// Texts that estimate a run: rows and size of its file, steps, and time. The time comes from a trial run of
/// a few hundredths of a second.
std::vector<std::string> estimatesOf(const Deck& deck, const Simulation& simulation);

}  // namespace ricochet
