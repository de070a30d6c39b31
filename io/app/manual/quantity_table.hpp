#pragma once

#include <string>

namespace ricochet {

/// Tables in Markdown of the quantities and reductions (io/quantities/table) that a deck or command can
/// request, with units, syntax and meanings.
std::string quantityTablesInMarkdown();

}  // namespace ricochet
