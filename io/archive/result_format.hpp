#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>

namespace ricochet {

/// The version of the layout of results, in their attribute `format_version`. 2: strings of fixed length, and
/// checksums.
inline constexpr int kFormatVersion = 2;

/// Opens a file that this program wrote. Throws ResultError where it is none, or of a version of the format
/// that is not read.
H5File openResult(const std::filesystem::path& file, Access access = Access::read,
                  Journal journal = Journal::none);

}  // namespace ricochet
