#pragma once

#include <filesystem>

namespace ricochet {

/// The folder of a file, "." for a bare name.
std::filesystem::path folderOf(const std::filesystem::path& file);

/// Throws TargetError unless a file of this name can be made: the name is not empty and not too long for
/// what is added to it while it is written, and its folder is there and may be written to.
void requireTarget(const std::filesystem::path& file);

/// Whether a file begins as HDF5 files do, whole or not.
bool looksLikeHdf5(const std::filesystem::path& file);

/// Throws TargetError unless the file is there and is a result of a format that is read.
void requireResult(const std::filesystem::path& file);

}  // namespace ricochet
