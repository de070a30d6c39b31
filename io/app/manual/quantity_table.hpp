#pragma once

#include <string>

namespace ricochet {

/// What can be asked of a run: tables in Markdown of the quantities and the reductions
/// (io/quantities/table), with units, how each is written, and meanings.
std::string quantityTables();

}  // namespace ricochet
