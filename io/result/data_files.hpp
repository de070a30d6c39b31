#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace ricochet {

struct Deck;

/// Writes names and digests of the files that the deck names into /data_files/name and /data_files/sha256:
/// the motion depends on these files as on the deck, and a run is resumed only if none of them has changed.
void writeDataFiles(const H5File& file, const Deck& study);

/// First data file that has changed since the run began; empty if none has changed.
std::optional<std::filesystem::path> findChangedDataFile(const H5File& file, const Deck& study);

/// Path at which the deck of a result is read: in its original folder, with the files that the deck names;
/// `otherwise` if this folder no longer exists.
std::filesystem::path pathForReadingDeck(const H5File& file, const std::filesystem::path& otherwise);

/// Paths of the data files of the deck of a result, and of its table of cases, in the folder of the deck.
std::vector<std::filesystem::path> dataFilesOf(const H5File& file);

/// Throws TargetError with the name of the first file that has changed.
void requireSameDataFiles(const H5File& file, const Deck& study);

}  // namespace ricochet
