#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>

namespace ricochet {

/// The folder of a file; "." for a name without folder.
std::filesystem::path folderOf(const std::filesystem::path& file);

/// Throws TargetError unless a file of this name can be created: the name is not empty, and not too long with
/// the suffix of the temporary name; its folder exists and is writable.
void requireCreatableFile(const std::filesystem::path& file);

/// True if a file begins with the signature of HDF5, complete or not.
bool hasHdf5Signature(const std::filesystem::path& file);

/// Opens a result named by the user. Throws TargetError unless the file exists and has a supported format.
H5File openRequestedResult(const std::filesystem::path& file);

}  // namespace ricochet
