#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ricochet {

/// What a look at all of a result has found.
struct ResultVerdict {
  std::string status;               ///< "complete", "running" or "failed"
  std::size_t datasets{0};          ///< that were read
  std::uint64_t values{0};          ///< in them
  std::vector<std::string> faults;  ///< one sentence each; empty: the result is sound

  bool isSound() const noexcept { return faults.empty(); }
};

/// Whether a result is whole and agrees with itself: every block of every dataset is read, with its checksum;
/// every attribute too; histories are as long as their time, which does not decrease, and hold finite
/// numbers; indices lead to what is there; the deck has its digest. `skipped`: a group that is not looked at.
/// Takes as much memory as the largest chunk, or some megabytes.
ResultVerdict verdictOn(const H5File& result, const std::string& skipped = {});

}  // namespace ricochet
