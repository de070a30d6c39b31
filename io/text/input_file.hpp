#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ricochet {

/// The first bytes of every HDF5 file.
inline constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";

/// Opens a file of the user for reading. Returns why this is not possible, or an empty text. Pipes and
/// devices are refused: reading a pipe could wait for ever, and a device has no end.
std::string openInputOrGetReason(const std::filesystem::path& file, std::ifstream& stream);

}  // namespace ricochet
