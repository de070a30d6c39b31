#pragma once

#include "io/deck/deck.hpp"
#include "io/quantities/checks/run_summary.hpp"

#include <string>
#include <vector>

namespace ricochet {

/// What a user should know of a run at its end, one sentence for each: that no contact ever closed, or that
/// one was pressed in so far that its stiffness looks too small.
std::vector<std::string> notesOnRun(const Deck& deck, const RunSummary& summary);

/// "4.1e-12", or "< 1e-14" for the residual of an energy balance that is zero or rounding.
std::string residualText(double energyError);

}  // namespace ricochet
