#pragma once

#include "io/hdf5/hdf5.hpp"

#include <filesystem>

namespace ricochet {

/// Version of the layout of results, stored in their attribute `format_version`. Version 2 has strings of
/// fixed length, and checksums.
inline constexpr int kFormatVersion = 2;

/// Opens a result file. Throws ResultError if the file is not a result, or has an unsupported version.
H5File openResult(const std::filesystem::path& file, Access access = Access::read,
                  Journal journal = Journal::none);

}  // namespace ricochet
