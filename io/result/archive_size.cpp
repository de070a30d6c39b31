#include "io/result/archive_size.hpp"

#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"

#include <algorithm>

namespace ricochet {

RowParts ArchiveSize::divisionIntoBlocks() const {
  // a run waits for its last block, which should be short; the HDF5 calls for a block cost as much as 400
  // rows
  constexpr std::size_t kBlockRows = 1024, kBlockBytes = std::size_t{8} << 20U;
  constexpr std::size_t kFewest = 16;  // least number of rows of a chunk, also if a block has fewer rows
  constexpr std::size_t kFew = 64;     // rows of a chunk if only one of its rows may be used
  // least number of chunks for an estimated number of rows: a run that ends elsewhere wastes at most one
  constexpr std::size_t kOfEstimate = 8;
  const std::size_t block = std::clamp<std::size_t>(kBlockBytes / (sizeof(double) * rowSize), 1, kBlockRows);
  const std::size_t most = std::max(block, kFewest);
  if (isExact) {
    const std::size_t chunks = (rows + most - 1) / most, chunk = (rows + chunks - 1) / chunks;
    return {chunks > 1 && block == most ? chunk : block, chunk};
  }
  if (rows < kFew) return {block, std::min(rows > 0 ? rows + 1 : kFew, most)};
  // The end of a run is often one row more than the even ones.
  const std::size_t chunks = std::max(kOfEstimate, (rows + most) / most);
  const std::size_t chunk = std::min(std::max(kFew, (rows + chunks) / chunks), most);
  return {block == most ? chunk * (most / chunk) : block, chunk};
}

ArchiveSize estimateArchiveSize(const Deck& study, const Simulation& simulation) {
  ArchiveSize size;
  size.rowSize = approximateValuesPerRow(study, simulation);
  if (!study.transient) return size;
  constexpr double kMostRows = 1e12;
  size.rows = archiveTimesOfRun(study, simulation).size();
  size.isExact = study.output.interval.has_value() || !study.output.times.empty();
  if (size.rows == 0 && hasEvenSteps(study, simulation))
    size.rows =
        static_cast<std::size_t>(std::min(
            study.transient->duration / (simulation.step * std::max(1, stepsPerRow(study, simulation))),
            kMostRows)) +
        1;
  return size;
}

ArchiveSize estimateArchiveSizeOfSteps(const Deck& study, const Simulation& simulation, double steps) {
  ArchiveSize size = estimateArchiveSize(study, simulation);
  const int every = stepsPerRow(study, simulation);
  if (size.rows > 0 || every == 0 || !study.transient) return size;
  constexpr double kMostRows = 1e12;
  size.rows = static_cast<std::size_t>(std::min(steps / every, kMostRows)) + 1;
  if (doesDeckRequestNoRows(study))
    size.rows = std::min(size.rows, rowLimitWithoutRequest(study, simulation));
  return size;
}

}  // namespace ricochet
