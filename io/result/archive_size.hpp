#pragma once

#include <cstddef>

namespace ricochet {

struct Simulation;
struct Deck;

/// What a run will archive, as far as that is known before.
struct ArchiveSize {
  std::size_t rows{0};     ///< about; 0: the scheme chooses its steps, and a row is kept of every so many
  std::size_t rowSize{0};  ///< numbers of a row, about
  double megabytes() const noexcept {
    return 8e-6 * static_cast<double>(rows) * static_cast<double>(rowSize);
  }
};
ArchiveSize archiveSize(const Deck& study, const Simulation& simulation);

}  // namespace ricochet
