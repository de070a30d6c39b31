#include "io/app/manual/quantity_table.hpp"

#include "io/quantities/statistics/contact_statistics.hpp"
#include "io/quantities/table/quantity.hpp"
#include "io/quantities/table/reduction.hpp"

#include <fmt/core.h>

namespace ricochet {
namespace {

/// How a deck or command requests a quantity: an expression, `quantity` of a check with its keys, a field of
/// `restore`.
std::string requestSyntaxOf(const Quantity& quantity) {
  if (quantity.isAllowedInExpressions()) {
    std::string written = fmt::format("`{}`", syntaxOfQuantity(quantity));
    for (std::size_t bar = written.find('|'); bar != std::string::npos; bar = written.find('|', bar + 2))
      written.insert(bar, 1, '\\');  // an escaped bar does not separate columns
    if (quantity.isOnlyForRestoredFiles()) written += ", of the file that `restore` writes";
    if (quantity.use == QuantityUse::results) written += ", of results";
    return written + (quantity.use == QuantityUse::keysOrRestored ? "; keys of a check" : "");
  }
  return "keys of a check";
}

}  // namespace

std::string quantityTablesInMarkdown() {
  std::string text = "| quantity | unit | written | meaning |\n|---|---|---|---|\n";
  for (const Quantity& each : allQuantities())
    text += fmt::format("| {} | {}{} | {} | {} |\n", each.keyword, each.unit,
                        each.turningUnit.empty() ? "" : fmt::format(", {}", each.turningUnit),
                        requestSyntaxOf(each), each.meaning);
  text += "\n| reduction of a history | meaning |\n|---|---|\n";
  for (const Reduction& each : allReductions())
    text += fmt::format("| `{}(HISTORY{})` | {} |\n", each.keyword,
                        each.isReductionOverInterval() ? ", from = T, to = T"
                        : each.takesInstant            ? ", T"
                                                       : "",
                        each.meaning);
  text += "\n| NAME of a contact_statistic | unit | meaning |\n|---|---|---|\n";
  for (const StatisticColumn& each : statisticColumns())
    text += fmt::format("| {} | {} | {} |\n", each.name, each.unit, each.meaning);
  return text;
}

}  // namespace ricochet
