#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>

namespace ricochet {

/// The folder of a file, "." for a bare name.
std::filesystem::path folderOf(const std::filesystem::path& file);

/// Throws TargetError unless a file of this name can be made: the name is not empty and not too long for
/// what is added to it while it is written, and its folder is there and may be written to.
void requireTarget(const std::filesystem::path& file);

/// Whether a file begins as HDF5 files do, whole or not.
bool looksLikeHdf5(const std::filesystem::path& file);

/// Opens a result that is asked for. Throws TargetError unless it is there and of a format that is read.
H5File openAskedResult(const std::filesystem::path& file);

}  // namespace ricochet
