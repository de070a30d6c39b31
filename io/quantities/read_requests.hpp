#pragma once

#include "io/deck/read_context.hpp"
#include "io/quantities/table/expression.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Functions that read the parts of a deck that request quantities of its run; model and run must have been
/// read before.

void readChecks(ReadContext& context);
/// Names that an expression of this deck may use. The context must outlive them.
ExpressionNames namesAllowedInExpressions(const ReadContext& context);
/// Reason why a node, a contact or a link does not have a quantity, and the key of the check that names the
/// object.
struct AbsentQuantity {
  std::string_view key;
  std::string why;
};
std::optional<AbsentQuantity> reasonForAbsentQuantity(const ReadContext& context, const QuantityAt& at);
/// Reads beam, element and component of a beam-force check.
void readBeamForceCheck(const ReadContext& context, const Section& section, CheckRequest& check);
/// Fills a check from an expression, `quantity = "max(abs(displacement(shoe, ux)), from = 0.1)"`, except its
/// limit and its mode. False after a reported problem.
bool readQuantityExpression(const ReadContext& context, const Section& section, CheckRequest& check);
void readBatch(ReadContext& context, const Document& document);
void readStatistics(ReadContext& context);  ///< reads statistics of contacts
/// Names of the numbers of [statistics] with one value per window, those of wear included.
std::vector<std::string> namesOfStatistics();
/// Sets the unit of a term of [statistics]. Returns the reason if the deck does not request this number;
/// empty for a requested number and for terms outside of [statistics].
std::string setStatisticUnit(const ReadContext& context, OutputTerm& term);
/// Reads the keys of checks of a statistic, and of worn volume or depth.
void readContactStatistic(const ReadContext& context, const Section& section, CheckRequest& check);
void readWearCheck(const ReadContext& context, const Section& section, CheckRequest& check);
/// Reports a problem of `key` unless the contact has this wear quantity ("wear_depth_other").
void requireWearQuantity(const Section& section, std::string_view key, const ContactRequest& contact,
                         std::string_view name);

}  // namespace ricochet
