#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ricochet {

/// What a reader takes from a file of another program.
enum class Wanted { mesh, matrix, positions, table };

/// A format that is not read here is named by what the file holds, so that nobody looks for a fault in it.
///
/// "is an OP2 file of Nastran, which is not read; write ... instead", from the first bytes of a file; nothing
/// if these may be of a format that is read. `begin` holds a few thousand bytes, or the whole file.
std::optional<std::string> foreignFormat(std::string_view begin, Wanted wanted);

/// The same of a file; nothing if it cannot be read.
std::optional<std::string> foreignFormatOf(const std::filesystem::path& file, Wanted wanted);

}  // namespace ricochet
