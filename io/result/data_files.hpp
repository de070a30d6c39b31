#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>
#include <optional>

namespace ricochet {

struct Deck;

/// Files that the deck of a study names decide its motion as the deck does: a result keeps what they were,
/// /data_files/name and /data_files/sha256, so that a run is gone on with only where they still are that.
void writeDataFiles(const H5File& file, const Deck& study);

/// The first of them that is not what it was when the run began.
std::optional<std::filesystem::path> changedDataFile(const H5File& file, const Deck& study);

/// Where the deck of a result is read: in its folder, with the files that it names; where that is gone, as
/// `otherwise`.
std::filesystem::path deckPlace(const H5File& file, const std::filesystem::path& otherwise);

/// Throws TargetError, which names the first file that has changed.
void requireSameDataFiles(const H5File& file, const Deck& study);

}  // namespace ricochet
