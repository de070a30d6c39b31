#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ricochet {

/// Kind of data that a reader needs from a file of another program.
enum class Wanted { mesh, matrix, positions, table };

/// Identifies formats that are not supported, so that the message names the format instead of an error in the
/// file.
///
/// Returns "is an OP2 file of Nastran, which is not read; write ... instead", from the first bytes of a file;
/// empty if the bytes may belong to a supported format. `begin`: a few thousand bytes, or the whole file.
std::optional<std::string> describeForeignFormat(std::string_view begin, Wanted wanted);

/// Identifies the format of a file; empty if the file cannot be read.
std::optional<std::string> describeForeignFormatOfFile(const std::filesystem::path& file, Wanted wanted);

}  // namespace ricochet
