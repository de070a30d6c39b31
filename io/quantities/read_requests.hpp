#pragma once

#include "io/deck/read_context.hpp"
#include "io/quantities/table/expression.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ricochet {

/// The parts of a deck that ask for quantities of its run, read when the model and the run are known.

void readChecks(ReadContext& context);
/// What an expression of this deck may name. The context must outlive it.
ExpressionNames expressionNames(const ReadContext& context);
/// Why a node, a contact or a link does not have a quantity, and the key of a check that says otherwise.
struct AbsentQuantity {
  std::string_view key;
  std::string why;
};
std::optional<AbsentQuantity> whyAbsent(const ReadContext& context, const QuantityAt& at);
/// Of checks: the section of a beam.
void readBeamForceOf(const ReadContext& context, const Section& section, CheckRequest& check);
/// Fills a check from an expression, `quantity = "max(abs(displacement(shoe, ux)), from = 0.1)"`, its limit
/// and its mode excepted. False where the deck is wrong, which it has told.
bool readQuantityExpression(const ReadContext& context, const Section& section, CheckRequest& check);
void readBatch(ReadContext& context, const Document& document);
void readStatistics(ReadContext& context);  ///< of contacts
/// Of checks: a number of the statistics; worn volume and depth.
void readStatisticOf(const ReadContext& context, const Section& section, CheckRequest& check);
void readWornOf(const ReadContext& context, const Section& section, CheckRequest& check);
/// A problem of `key` unless the contact has this number of its wear ("wear_depth_other").
void requireWorn(const Section& section, std::string_view key, const ContactRequest& contact,
                 std::string_view name);

}  // namespace ricochet
