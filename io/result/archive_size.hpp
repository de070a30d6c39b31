#pragma once

#include <cstddef>

namespace ricochet {

struct Simulation;
struct Deck;

/// Amount of data that a run will archive, as far as known before the run.
struct ArchiveSize {
  std::size_t rows{0};     ///< approximate number of rows; 0: unknown, because the scheme chooses its steps
                           ///< and archives every n-th step
  std::size_t rowSize{0};  ///< approximate number of values per row
  double megabytes() const noexcept {
    return 8e-6 * static_cast<double>(rows) * static_cast<double>(rowSize);
  }
};
ArchiveSize archiveSize(const Deck& study, const Simulation& simulation);

}  // namespace ricochet
