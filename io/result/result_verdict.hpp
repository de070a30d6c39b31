#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ricochet {

/// Outcome of the check of all data of a result.
struct ResultVerdict {
  std::string status;               ///< "complete", "running" or "failed"
  std::size_t datasets{0};          ///< number of datasets that were read
  std::uint64_t values{0};          ///< number of values in these datasets
  std::vector<std::string> faults;  ///< one sentence per fault; empty: the result is valid

  bool isResultSound() const noexcept { return faults.empty(); }
};

/// Checks that a result is complete and consistent: reads every block of every dataset, with its checksum,
/// and every attribute. Histories must have the length of their time axis, which must not decrease, and hold
/// finite numbers; indices must refer to existing entries; the deck must have its digest. `skipped`: a group
/// that is not checked. Memory: the largest chunk, or some megabytes.
ResultVerdict inspectResultFile(const H5File& result, const std::string& skipped = {});

}  // namespace ricochet
