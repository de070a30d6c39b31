#pragma once

#include "io/deck/read_context.hpp"

#include <string_view>

namespace ricochet {

/// The parts of a deck that ask for quantities of its run, read when the model and the run are known.

void readChecks(ReadContext& context);
void readBatch(ReadContext& context, const Document& document);
void readStatistics(ReadContext& context);  ///< of contacts
/// Of checks: a number of the statistics; worn volume and depth.
void readStatisticOf(const ReadContext& context, const Section& section, CheckRequest& check);
void readWornOf(const ReadContext& context, const Section& section, CheckRequest& check);
/// A problem of `key` unless the contact has this number of its wear ("wear_depth_other").
void requireWorn(const Section& section, std::string_view key, const ContactRequest& contact,
                 std::string_view name);

}  // namespace ricochet
