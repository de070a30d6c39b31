#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/quantities/checks/check_result.hpp"

#include <vector>

namespace ricochet {

/// Writes the results of the checks of a deck to /checks of its result; writes nothing without checks.
void writeCheckResults(const H5File& file, const std::vector<CheckResult>& checks);

/// Results of the checks in a result file; empty for a file without checks.
std::vector<CheckResult> readCheckResults(const H5File& file);

}  // namespace ricochet
