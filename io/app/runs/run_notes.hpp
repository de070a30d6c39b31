#pragma once

#include "io/deck/deck.hpp"
#include "io/quantities/checks/run_summary.hpp"

#include <string>
#include <vector>

namespace ricochet {

/// Notes on a run at its end, one sentence each: no contact has ever closed, a contact has penetrated so
/// deeply that its stiffness may be too small, or friction has given energy instead of taking it.
std::vector<std::string> notesOnFinishedRun(const Deck& deck, const RunSummary& summary);

/// Text of the residual of an energy balance: "4.1e-12", or "< 1e-14" for zero or rounding.
std::string energyResidualText(double energyError);

}  // namespace ricochet
