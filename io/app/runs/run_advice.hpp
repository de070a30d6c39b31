#pragma once

#include "io/deck/deck.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct Simulation;

/// Advice on a run before it starts, one text per finding: adviceOnStudy, loads that are zero or
/// that supports carry completely, and rows of the result with a larger distance than the duration of an
/// impact.
std::vector<std::string> adviceOnRun(const Deck& deck, const Simulation& simulation);

/// Advice on a batch with histories, whose instants are rows: the largest value of a history is not the peak
/// where impacts are shorter than the distance of the rows. Outputs of a batch depend on no row. Empty: no
/// advice.
std::optional<std::string> adviceOnHistoriesOfBatch(const Deck& deck, const Simulation& simulation);

/// Texts that estimate a run: rows and size of its file, steps, and time. The time comes from a trial run of
/// a few hundredths of a second.
std::vector<std::string> estimateTextsOfRun(const Deck& deck, const Simulation& simulation);

}  // namespace ricochet
