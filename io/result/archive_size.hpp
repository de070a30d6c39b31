#pragma once

#include <cstddef>

namespace ricochet {

struct Simulation;
struct Deck;

/// Numbers of rows that are written together (block), and that are stored together in a file (chunk).
struct RowParts {
  std::size_t block, chunk;
};

/// Amount of data that a run will archive, as far as known before the run.
struct ArchiveSize {
  /// Approximate number of rows; 0: unknown, because the scheme chooses its steps and archives every n-th
  /// step.
  std::size_t rows{0};
  std::size_t rowSize{0};  ///< approximate number of values per row
  bool isExact{false};     ///< the number of rows is exact
  /// Divides the rows into blocks and chunks. A chunk within one block is written only once, and an
  /// incomplete chunk needs the space of a full chunk: chunks are equal parts of an exact number of rows, and
  /// at most a thirty-second of an estimated number.
  RowParts divisionIntoBlocks() const;
  double bytes() const noexcept {
    return sizeof(double) * static_cast<double>(rows) * static_cast<double>(rowSize);
  }
  double megabytes() const noexcept { return 1e-6 * bytes(); }
};
ArchiveSize estimateArchiveSize(const Deck& study, const Simulation& simulation);

/// The same for a run that takes about this number of steps: the rows of a scheme that chooses its steps are
/// then known.
ArchiveSize estimateArchiveSizeOfSteps(const Deck& study, const Simulation& simulation, double steps);

}  // namespace ricochet
