#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ricochet {

/// SHA-256 of a text, 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

/// SHA-256 of the content of a file; empty if the file cannot be read.
std::string sha256OfFile(const std::filesystem::path& file);

}  // namespace ricochet
