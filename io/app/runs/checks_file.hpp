#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/quantities/checks/check_result.hpp"

#include <vector>

namespace ricochet {

/// Writes how the checks of a deck were judged into /checks of its result; nothing without checks.
void writeChecks(const H5File& file, const std::vector<CheckResult>& checks);

/// The checks of a result, as they were judged; empty for a result without them.
std::vector<CheckResult> readChecks(const H5File& file);

}  // namespace ricochet
